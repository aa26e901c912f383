import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { append, insertLine, prepend, replaceBody, replaceText, type Edit } from "./edits.ts";
import { setField, setFields, unsetField } from "./field-edits.ts";
import { readFront, type Value } from "./frontmatter.ts";
import { eolOf, withEol } from "./line-bounds.ts";
import { runs } from "../../test/soak-size.ts";
import { addAliases, addTags, removeTags, setTags } from "./list-edits.ts";

const RUNS = runs(2000);

// Notes as people and tools write them: every chunk of a block is one field, a comment or a blank line, so that a law can
// say which bytes belong to which field.
type Chunk = { key: string | null; text: string };
type Sample = { text: string; chunks: Chunk[]; head: string; tail: string };

const word = fc
  .stringMatching(/^[a-z][a-z0-9/_-]{0,8}$/)
  .filter((text) => !/^(true|false|null|tag|alias)$/.test(text));
const comment = fc.constantFrom("", " # why", "  #x");
const scalar = fc.oneof(
  word,
  fc.constantFrom(
    "2024-01-15",
    "1.10",
    "1e3",
    "0123",
    "yes",
    "12:30",
    "5",
    "-2.5",
    "true",
    "null",
    "~",
    "日本 語",
    "it's",
  ),
  word.map((text) => `"${text}: #1"`),
  word.map((text) => `'${text}, ''x'''`),
  fc.constantFrom(
    '"a\\tb"',
    "https://example.org/a?b=c#d",
    "[[Home]]",
    '"[[Home]]"',
    "{a: 1, b: [2]}",
    "[]",
    "[ ]",
  ),
);
const list = fc.array(word, { minLength: 1, maxLength: 4 });
const afterOfList = fc.oneof(
  fc
    .tuple(list, fc.constantFrom(",", ", ", " , "), fc.constantFrom("", " "), comment)
    .map(([items, comma, pad, note]) => ` [${pad}${items.join(comma)}${pad}]${note}\n`),
  fc
    .tuple(list, fc.constantFrom("", "  ", "     "), fc.constantFrom(" ", "   "), comment)
    .map(
      ([items, indent, gap, note]) =>
        `${note}\n${items.map((item) => `${indent}-${gap}${item}${note}\n`).join("")}`,
    ),
  list.map((items) => ` [\n${items.map((item) => `    ${item},\n`).join("")}  ]\n`),
);
const after = fc.oneof(
  fc.tuple(fc.constantFrom(" ", "   "), scalar, comment).map(([gap, text, note]) => `${gap}${text}${note}\n`),
  fc.constantFrom("\n", " \n", " # later\n"),
  { arbitrary: afterOfList, weight: 3 },
  fc
    .tuple(list, fc.constantFrom("|", "|-", ">", ">-"))
    .map(([lines, mark]) => ` ${mark}\n${lines.map((line) => `    ${line}  \n`).join("")}`),
  list.map((lines) => ` ${lines.join("\n   ")}\n`),
  list.map((names) => `\n${[...new Set(names)].map((name) => `  ${name}: {x: 1}\n`).join("")}`),
);
/** `always`: a field that is there, first of all, and what stands after its colon. */
const sampleWith = (always?: { key: string; after: fc.Arbitrary<string> }): fc.Arbitrary<Sample> =>
  fc
    .record({
      first: always?.after ?? fc.constant(""),
      names: fc.uniqueArray(fc.oneof(word, fc.constantFrom("tags", "aliases", "a b", "__proto__")), {
        maxLength: 6,
      }),
      values: fc.array(after, { minLength: 6, maxLength: 6 }),
      between: fc.array(fc.constantFrom("", "# note\n", "\n"), { minLength: 6, maxLength: 6 }),
      bom: fc.constantFrom("", "\uFEFF"),
      close: fc.constantFrom("---", "...", "---  "),
      body: fc.constantFrom(
        "",
        "\n# Title\n\nText [[a]] #tag\n",
        "no last line ending",
        "---\nnot: fields\n---\n",
      ),
      eol: fc.constantFrom<"\n" | "\r\n">("\n", "\r\n"),
    })
    .map(({ first, names, values, between, bom, close, body, eol }) => {
      const keys = [...new Set([...(always ? [always.key] : []), ...names])].slice(0, 6);
      const chunks = keys.flatMap((key, index) => [
        { key: null, text: withEol(between[index]!, eol) },
        { key, text: withEol(`${key}:${key === always?.key ? first : values[index]!}`, eol) },
      ]);
      const head = `${bom}---${eol}`;
      const tail = withEol(`${close}\n${body}`, eol);
      return { text: head + join(chunks) + tail, chunks, head, tail };
    });

const sample = sampleWith();
const join = (chunks: readonly Chunk[]) => chunks.map((chunk) => chunk.text).join("");

/** A field of the sample, with the text before and after its own. */
const placed = fc
  .tuple(sample, fc.nat())
  .filter(([note]) => note.chunks.length > 0)
  .map(([note, pick]) => {
    const fields = note.chunks.filter((chunk) => chunk.key !== null);
    const chosen = fields[pick % fields.length]!;
    const at = note.chunks.indexOf(chosen);
    return {
      text: note.text,
      key: chosen.key!,
      before: note.head + join(note.chunks.slice(0, at)),
      after: join(note.chunks.slice(at + 1)) + note.tail,
    };
  });

const nasty = fc.constantFrom(
  ..."- -- --- ... -a a: :a #a a,b [a] {a} &a *a !a | > 'a' \"a\" %a @a `a` << = ~ null true Yes 1 1.0 0x1 -0".split(
    " ",
  ),
  ..."1e+21 .5 NaN Infinity 2024-01-01 a\\b $& $1 constructor __proto__ \u{1F600} \u0085 \u2028 \uFEFFa \0".split(
    " ",
  ),
  ..."|a |a |- a|? a|a: b|a #b|a\nb|a\nb\n|a\n\n|\na|a\n b\n|a\n \nb|a\r\nb|a\tb|\ta|a\n\tb|a\n---\nb|a\u00A0".split(
    "|",
  ),
);
const text = fc.oneof(nasty, fc.string({ unit: "binary" }), fc.string(), word);
const value: fc.Arbitrary<Value> = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    text,
    fc.oneof(
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constant(null),
    ),
    fc.array(tie("value"), { maxLength: 4 }),
    fc
      .array(fc.tuple(fc.oneof(word, nasty), tie("value")), { maxLength: 4 })
      .map((pairs) => Object.fromEntries(pairs)),
  ),
})).value;

const plain = (read: Value | undefined) => JSON.parse(JSON.stringify(read ?? null)) as unknown;

describe("fields", () => {
  test("samples can be read", () => {
    fc.assert(
      fc.property(sample, (note) => {
        const { front, fields } = readFront(note.text);
        expect(front.trouble).toBe(null);
        expect(Object.keys(fields).toSorted()).toEqual(
          note.chunks.flatMap((chunk) => chunk.key ?? []).toSorted(),
        );
      }),
      RUNS,
    );
  });

  test("half a character is refused, as a key and as a value at any depth", () => {
    for (const odd of ["\uD800", "a\uDC00b"])
      for (const set of [
        setField(odd, "a"),
        setField("a", odd),
        setField("a", [odd]),
        setField("a", { b: [{ [odd]: "c" }] }),
      ])
        expect(() => set("---\na: 'x'\n---\nbody\n")).toThrowError(/half a character/);
  });

  test("any value set on a note is the value read", () => {
    fc.assert(
      fc.property(fc.oneof(word, nasty), value, (key, wanted) => {
        const after = setField(key, wanted)("body\n");
        expect(plain(readFront(after).fields[key])).toEqual(plain(wanted));
        expect(after.endsWith("---\nbody\n")).toBe(true);
      }),
      RUNS,
    );
  });

  test("a field set is the field read, and no byte outside it changes", () => {
    fc.assert(
      fc.property(placed, value, ({ text, key, before, after }, wanted) => {
        const result = setField(key, wanted)(text);
        expect(result.startsWith(before) && result.endsWith(after)).toBe(true);
        expect(result.length).toBeGreaterThanOrEqual(before.length + after.length);
        const [old, fresh] = [readFront(text).fields, readFront(result).fields];
        expect(plain(fresh[key])).toEqual(plain(wanted));
        expect(plain({ ...fresh, [key]: 0 })).toEqual(plain({ ...old, [key]: 0 }));
      }),
      RUNS,
    );
  });

  test("a new field is one insertion, before the closing fence", () => {
    fc.assert(
      fc.property(sample, value, (note, wanted) => {
        const result = setField("new field", wanted)(note.text);
        const start = note.text.slice(0, note.text.length - note.tail.length);
        expect(result.startsWith(start) && result.endsWith(note.tail)).toBe(true);
        expect(plain(readFront(result).fields["new field"])).toEqual(plain(wanted));
      }),
      RUNS,
    );
  });

  test("a field taken out leaves what was around it", () => {
    fc.assert(
      fc.property(placed, ({ text, key, before, after }) => {
        expect(unsetField(key)(text)).toBe(before + after);
      }),
      RUNS,
    );
  });

  test("a plain value changed and changed back leaves the note as it was", () => {
    const line = fc.oneof(
      word,
      fc.constantFrom("2024-01-15", "1.10", "0123", "5", "-2.5", "true", '"x y"', "'it''s'"),
    );
    fc.assert(
      fc.property(
        line,
        comment,
        fc.constantFrom(" ", "    "),
        sample,
        word,
        (old, note, gap, around, fresh) => {
          const text = `---\nfirst: 1\nkey:${gap}${old}${note}\n${around.chunks.length ? "last: 2\n" : ""}---\n`;
          const was = readFront(text).fields["key"]!;
          expect(setField("key", was)(setField("key", fresh)(text))).toBe(text);
        },
      ),
      RUNS,
    );
  });

  test("several fields at once are the same as one after another", () => {
    fc.assert(
      fc.property(sample, word, value, value, (note, key, one, other) => {
        const both = setFields({ [key]: one, "other one": other })(note.text);
        expect(both).toBe(setField("other one", other)(setField(key, one)(note.text)));
      }),
      RUNS,
    );
  });
});

describe("tags", () => {
  test("a tag put to a list and taken away again leaves the note as it was", () => {
    fc.assert(
      fc.property(sampleWith({ key: "tags", after: afterOfList }), (note) => {
        const old = readFront(note.text).fields["tags"];
        const added = addTags(["one/new-tag"])(note.text);
        expect(readFront(added).fields["tags"]).toEqual([...(old as Value[]), "one/new-tag"]);
        expect(removeTags(["one/new-tag"])(added)).toBe(note.text);
      }),
      RUNS,
    );
  });

  test("a tag edit leaves every other field's bytes", () => {
    fc.assert(
      fc.property(sampleWith({ key: "tags", after }), fc.array(word, { maxLength: 3 }), (note, tags) => {
        const old = readFront(note.text).fields["tags"] ?? null;
        fc.pre(typeof old !== "object" || old === null || Array.isArray(old));
        const others = note.chunks.flatMap((chunk) => (chunk.key === "tags" ? [] : chunk.text));
        for (const edit of [addTags(tags), removeTags(tags), setTags(tags)]) {
          const after = edit(note.text);
          let at = 0;
          for (const piece of [note.head, ...others, note.tail]) {
            at = after.indexOf(piece, at);
            expect(at).not.toBe(-1);
            at += piece.length;
          }
          expect(after.endsWith(note.tail)).toBe(true);
        }
      }),
      RUNS,
    );
  });
});

describe("every edit", () => {
  const edits: Record<string, Edit> = {
    append: append("one\ntwo\r\n", "blank"),
    "append a line": append("one\ntwo", "line"),
    prepend: prepend("one\n\ntwo"),
    replaceBody: replaceBody("one\ntwo\n"),
    replaceText: (text) =>
      text.includes("# Title") ? replaceText("Title\n\nText", "A\nB", "only")(text) : text,
    insertLine: (text) =>
      text.includes("# Title") ? insertLine("one\ntwo", { after: "# Title" })(text) : text,
    setField: setField("made", { list: ["a"], text: "a\nb" }),
    unsetField: unsetField("tags"),
    addAliases: addAliases(["An alias", "and, another"]),
  };

  test.each(Object.entries(edits))("%s keeps line endings, byte order mark and frontmatter", (name, edit) => {
    fc.assert(
      fc.property(sample, (note) => {
        const aliases = name === "addAliases" ? readFront(note.text).fields["aliases"] : null;
        fc.pre(typeof aliases !== "object" || aliases === null || Array.isArray(aliases));
        const after = edit(note.text);
        const eol = eolOf(note.text);
        expect(withEol(after, eol)).toBe(after);
        expect(after.startsWith("\uFEFF")).toBe(note.text.startsWith("\uFEFF"));
        if (name in { setField: 1, unsetField: 1, addAliases: 1 })
          expect(after.endsWith(note.tail)).toBe(true);
        else expect(after.startsWith(note.text.slice(0, readFront(note.text).front.bodyStart))).toBe(true);
      }),
      RUNS,
    );
  });

  test("what is already so changes no byte", () => {
    fc.assert(
      fc.property(sample, (note) => {
        const { fields } = readFront(note.text);
        expect(setFields(fields)(note.text)).toBe(note.text);
        expect(setFields({})(note.text)).toBe(note.text);
        expect(unsetField("no such field")(note.text)).toBe(note.text);
        const tags = fields["tags"] ?? null;
        if (typeof tags !== "object" || tags === null) {
          expect(addTags([])(note.text)).toBe(note.text);
          expect(removeTags(["not-there-at-all"])(note.text)).toBe(note.text);
        }
      }),
      RUNS,
    );
  });
});
