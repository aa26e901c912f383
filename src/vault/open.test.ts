import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { notePath } from "../notebook/paths.ts";
import { openFolder, type Open } from "./open.ts";

const home = mkdtempSync(join(tmpdir(), "notewright-open-"));
const vault = join(home, "vault");
let open: Open | undefined;
afterEach(async () => {
  await open?.close();
  rmSync(home, { recursive: true, force: true });
});

const opened = ({ history }: { history: boolean } = { history: false }): Promise<Open> =>
  openFolder(vault, {
    readOnly: false,
    index: join(home, "index.db"),
    durability: "fast",
    history,
    outsideAuthor: undefined,
    timeZone: undefined,
    environment: {},
    report: (what, error) => {
      throw new Error(what, { cause: error });
    },
    tell: () => {},
  });

test("a note moved right after the start keeps the links that were written while nobody served the vault", async () => {
  mkdirSync(vault);
  writeFileSync(join(vault, "Here.md"), "I am here\n");
  writeFileSync(join(vault, "Other.md"), "nothing yet\n");
  open = await opened();
  await open.notebook.refresh();
  await open.close();

  writeFileSync(join(vault, "Other.md"), "see [[Here]] now\n");
  open = await opened();
  open.start(() => {});
  await open.notebook.move([{ from: notePath("Here.md"), to: notePath("There.md") }]);
  expect(readFileSync(join(vault, "Other.md"), "utf8")).toBe("see [[There]] now\n");
});

test("the zone is one that Intl knows", async () => {
  mkdirSync(vault, { recursive: true });
  open = await opened();
  const { timeZone } = open.notebook;
  expect(() => new Intl.DateTimeFormat("en", { timeZone })).not.toThrow();
  const here = new Intl.DateTimeFormat("en", { dateStyle: "full", timeStyle: "long" });
  const there = new Intl.DateTimeFormat("en", { dateStyle: "full", timeStyle: "long", timeZone });
  expect(there.format(0)).toBe(here.format(0));
});

test("what lies beside an index that the user named is not touched, however old", async () => {
  mkdirSync(vault, { recursive: true });
  const theirs = join(home, "index-1.db");
  writeFileSync(theirs, "theirs");
  utimesSync(theirs, new Date(0), new Date(0));
  writeFileSync(join(vault, "a.md"), "alpha\n");
  open = await opened({ history: true });
  const { start, history } = open;
  start(() => undefined);
  // Old indexes are removed before the first recording.
  await expect.poll(() => history.log({ limit: 1 }), { timeout: 30_000 }).toHaveLength(1);
  expect(readFileSync(theirs, "utf8")).toBe("theirs");
});
