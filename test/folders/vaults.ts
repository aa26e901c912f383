/** Vaults for the folder law: notes inside a folder and outside it, which link to each other, and changes on both sides. No name, alias or title is on both sides. */

import fc from "fast-check";
import { png } from "../images.ts";

export type Step =
  | { do: "write"; path: string; text: string }
  | { do: "move"; from: string; to: string; links: "rewrite" | "leave" }
  | { do: "remove"; path: string; links: "mark" | "leave" };
export type Made = {
  folder: string;
  inside: Record<string, string>;
  outside: Record<string, string>;
  /** In this order; those outside happen only where there is an outside. */
  steps: { side: "inside" | "outside"; step: Step }[];
};

const INSIDE = { names: ["Alder", "Birch", "Cedar", "Damson", "Elm"], spare: ["Fig", "Gorse", "Hazel"] };
const OUTSIDE = { names: ["Raven", "Crypt", "Alderman", "Cedars"], spare: ["Vault", "Widow"] };
/** Some are a letter away from each other, so that one may be taken for another. */
const WORDS = ["garden", "river", "copper", "marble", "window", "orchard"];
const SECRETS = ["gardens", "rivet", "marbled", "widows", "orchards", "zephyr"];
const TAGS = ["tree", "tree/old", "todo"];
const SECRET_TAGS = ["tree", "spy", "tree/hidden", "todo"];

/** Files that are no notes, in every vault: by their ends and names none could be taken for one of the other side. */
export const filesInside = (folder: string): Record<string, string | Uint8Array> => ({
  [`${folder}/pic.png`]: PNG,
  [`${folder}/Sub/board.canvas`]: '{"nodes":[{"id":"1","type":"file","file":"G/secret.png"}],"edges":[]}',
  [`${folder}/lone.svg`]: "<svg/>",
  [`${folder}/views.base`]: "views: []\n",
});
export const filesOutside = (folder: string): Record<string, string | Uint8Array> => ({
  "G/secret.png": PNG,
  "G/plan.canvas": '{"nodes":[],"edges":[]}',
  [`${folder}x/archive.zip`]: "PK",
  "widow.base": "views: []\n",
});
const PNG = png(1, 1);
const FILE_LINKS = ["![[pic.png]]", "[[board.canvas]]", "![[secret.png]]", "[[plan.canvas]]"];

const sentence = (words: readonly string[]) =>
  fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 6 }).map((some) => `${some.join(" ")}.`);

function linkTo(path: string, folder: string): fc.Arbitrary<string> {
  const bare = path.slice(0, -3);
  const name = bare.slice(bare.lastIndexOf("/") + 1);
  const up =
    folder === ""
      ? ""
      : folder
          .split("/")
          .map(() => "../")
          .join("");
  return fc.constantFrom(
    `[[${name}]]`,
    `[[${bare}|there]]`,
    `[[${name} alias]]`,
    `[see marble](${up}${bare.replaceAll(" ", "%20")}.md)`,
    `[[${name}#Part]]`,
  );
}

const textOf = (path: string, targets: readonly string[], side: "inside" | "outside") => {
  const words = side === "inside" ? WORDS : [...WORDS, ...SECRETS];
  const tags = side === "inside" ? TAGS : SECRET_TAGS;
  const name = path.slice(path.lastIndexOf("/") + 1, -3);
  const folder = path.slice(0, Math.max(0, path.lastIndexOf("/")));
  const links = fc.array(
    fc.oneof(
      {
        arbitrary: fc.constantFrom(...targets, "Nobody.md").chain((target) => linkTo(target, folder)),
        weight: 3,
      },
      { arbitrary: fc.constantFrom(...FILE_LINKS), weight: 1 },
    ),
    { maxLength: 4 },
  );
  return fc
    .record({
      tags: fc.subarray(tags),
      alias: fc.boolean(),
      field: fc.option(fc.constantFrom("open", "done")),
      first: sentence(words),
      part: fc.option(sentence(words)),
      links,
      inline: fc.option(fc.constantFrom(...tags)),
    })
    .map(({ tags: some, alias, field, first, part, links: all, inline }) => {
      const head = [
        ...(some.length > 0 ? [`tags: [${some.join(", ")}]`] : []),
        ...(alias ? [`aliases: [${name} alias]`] : []),
        ...(field === null ? [] : [`${side === "inside" ? "status" : "clearance"}: ${field}`]),
      ];
      const fields = head.length === 0 ? "" : `---\n${head.join("\n")}\n---\n`;
      const body = [first, all.join(" and "), inline === null ? "" : `#${inline}`].filter(
        (line) => line !== "",
      );
      return `${fields}${body.join("\n")}\n${part === null ? "" : `\n## Part\n\n${part}\n`}`;
    });
};

export const madeVault: fc.Arbitrary<Made> = fc
  .record({
    folder: fc.constantFrom("F", "Work/Team"),
    inside: fc.subarray(INSIDE.names, { minLength: 2 }),
    outside: fc.subarray(OUTSIDE.names, { minLength: 1 }),
    seed: fc.nat(),
  })
  .chain(({ folder, inside, outside, seed }) => {
    const at = (dirs: readonly string[], name: string, salt: number) => {
      const dir = dirs[(seed + salt) % dirs.length]!;
      return `${dir === "" ? "" : `${dir}/`}${name}.md`;
    };
    const dirs = [folder, `${folder}/Sub`, folder];
    const others = ["", "G", `${folder}x`, "Work"];
    const here = inside.map((name, salt) => at(dirs, name, salt));
    const there = outside.map((name, salt) => at(others, name, salt));
    const all = [...here, ...there];
    const notes = (paths: readonly string[], side: "inside" | "outside") =>
      fc
        .tuple(...paths.map((path) => textOf(path, all, side)))
        .map((texts) => Object.fromEntries(paths.map((path, which) => [path, texts[which]!])));
    const steps = (
      paths: string[],
      spare: readonly string[],
      places: readonly string[],
      side: "inside" | "outside",
    ) =>
      fc
        .array(fc.tuple(fc.constantFrom("write", "move", "remove", "new"), fc.nat(), fc.boolean()), {
          maxLength: 3,
        })
        .chain((kinds) =>
          fc.tuple(...kinds.map(() => textOf(paths[0]!, all, side))).map((texts) => {
            const [left, free] = [[...paths], [...spare]];
            return kinds.flatMap(([kind, number, yes], which): Step[] => {
              const path = left[number % left.length]!;
              const fresh = free[0] === undefined ? null : at(places, free[0], number);
              if (kind === "write") return [{ do: "write", path, text: texts[which]! }];
              if (kind === "remove" && left.length > 1) {
                left.splice(left.indexOf(path), 1);
                return [{ do: "remove", path, links: yes && side === "inside" ? "mark" : "leave" }];
              }
              if (fresh === null) return [];
              free.shift();
              left.push(fresh);
              if (kind === "new") return [{ do: "write", path: fresh, text: texts[which]! }];
              left.splice(left.indexOf(path), 1);
              return [
                { do: "move", from: path, to: fresh, links: side === "inside" && yes ? "rewrite" : "leave" },
              ];
            });
          }),
        );
    return fc
      .record({
        inside: notes(here, "inside"),
        outside: notes(there, "outside"),
        own: steps(here, INSIDE.spare, dirs, "inside"),
        other: steps(there, OUTSIDE.spare, others, "outside"),
        order: fc.infiniteStream(fc.boolean()),
      })
      .map(({ inside: mine, outside: theirs, own, other, order }): Made => {
        const [a, b] = [[...own], [...other]];
        const mixed: Made["steps"] = [];
        while (a.length + b.length > 0) {
          const first = order.next().value ? a : b;
          const from = first.length > 0 ? first : first === a ? b : a;
          mixed.push({ side: from === a ? "inside" : "outside", step: from.shift()! });
        }
        return { folder, inside: mine, outside: theirs, steps: mixed };
      });
  });
