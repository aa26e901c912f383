import { DatabaseSync } from "@photostructure/sqlite";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { diskError } from "../notebook/system-errors.ts";
import { openDisk, type Disk } from "./files.ts";
import { vaultLock, type Lock, type LockFile } from "./lock.ts";

let root: string;
let file: string;
const open = (path: string) => new DatabaseSync(path);
const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const locks: Lock[] = [];
const newLock = (...patience: [{ queue: number; milliseconds: number }?]): Lock => {
  const lock = vaultLock(openDisk(root), open, ...patience);
  locks.push(lock);
  return lock;
};

beforeEach(() => {
  root = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "notewright-lock-")));
  file = join(root, ".notewright/lock");
});
afterEach(async () => {
  for (const lock of locks.splice(0)) await lock.close();
  fs.rmSync(root, { recursive: true });
});

test("work is done in the order it was asked for, one at a time", async () => {
  const lock = newLock();
  const order: number[] = [];
  let inside = 0;
  const work = [5, 1, 3, 0, 2].map((pause, at) =>
    lock.alone(async () => {
      expect(inside++).toBe(0);
      expect(lock.held()).toBe(true);
      await wait(pause);
      order.push(at);
      inside--;
    }),
  );
  await Promise.all(work);
  expect(order).toEqual([0, 1, 2, 3, 4]);
  expect(lock.held()).toBe(false);
});

test("two holders of one file take turns, and neither blocks the process", async () => {
  const [one, two] = [newLock(), newLock()];
  let inside = 0;
  let ticks = 0;
  const timer = setInterval(() => ticks++, 1);
  const turns = [one, two, one, two, one, two].map((lock) =>
    lock.alone(async () => {
      expect(inside++).toBe(0);
      await wait(10);
      inside--;
    }),
  );
  await Promise.all(turns);
  clearInterval(timer);
  expect(ticks).toBeGreaterThan(10);
});

test("the file is made once, is ignored by git, and never changes", async () => {
  const lock = newLock();
  await lock.alone(async () => {});
  const [bytes, { mtimeMs }] = [fs.readFileSync(file), fs.statSync(file)];
  for (let round = 0; round < 5; round++) await lock.alone(async () => {});
  expect(fs.readFileSync(file).equals(bytes)).toBe(true);
  expect(fs.statSync(file).mtimeMs).toBe(mtimeMs);
  expect(fs.readFileSync(join(root, ".notewright/.gitignore"), "utf8")).toBe("*\n");
  expect(fs.readdirSync(join(root, ".notewright")).toSorted()).toEqual([".gitignore", "lock"]);
});

test("what throws inside frees the lock", async () => {
  const [one, two] = [newLock(), newLock()];
  await expect(one.alone(() => Promise.reject(new Error("inside")))).rejects.toThrow("inside");
  expect(await two.alone(async () => "free")).toBe("free");
});

describe("patience", () => {
  test("a lock that stays taken is given up, and the next try works", async () => {
    const [one, two] = [newLock(), newLock({ queue: 10, milliseconds: 30 })];
    await one.alone(async () => {
      const refused = [two.alone(async () => "never"), two.alone(async () => "never")];
      for (const each of await Promise.allSettled(refused))
        expect(each).toMatchObject({ status: "rejected", reason: { code: "EBUSY" } });
    });
    expect(await two.alone(async () => "now")).toBe("now");
  });

  test("work of our own that does not end keeps nobody waiting for ever", async () => {
    const lock = newLock({ queue: 10, milliseconds: 40 });
    let end = () => {};
    const endless = lock.alone(() => new Promise<void>((resolve) => (end = resolve)));
    await expect(lock.alone(async () => "never")).rejects.toMatchObject({ code: "EBUSY" });
    end();
    await endless;
    expect(await lock.alone(async () => "now")).toBe("now");
  });

  test("whoever has just had it steps back: another in need of it comes in between", async () => {
    const [busy, other] = [newLock(), newLock()];
    await other.alone(async () => {});
    let turns = 0;
    const first = busy.alone(() => wait(5));
    await wait(2);
    const waiting = other.alone(async () => turns);
    await first;
    for (; turns < 200; turns++) await busy.alone(async () => {});
    expect(await waiting).toBeLessThan(100);
  });

  test("who is alone takes it again at once, three times of four", async () => {
    const lock = newLock();
    const pauses = vi.spyOn(globalThis, "setTimeout");
    try {
      for (let turns = 0; turns < 9; turns++) await lock.alone(async () => {});
      expect(pauses.mock.calls.filter(([, delay]) => delay === 1).length).toBeLessThanOrEqual(2);
    } finally {
      pauses.mockRestore();
    }
  });

  test("closing waits for the work that is under way", async () => {
    const lock = newLock();
    let done = false;
    const work = lock.alone(async () => {
      await wait(20);
      done = true;
    });
    await lock.close();
    expect(done).toBe(true);
    await work;
  });

  test("a connection that cannot let go is given up, and the next one serves", async () => {
    let opened = 0;
    const stuck = vaultLock(openDisk(root), (path) => {
      const handle = open(path);
      const failing = opened++ === 0;
      return {
        exec: (text: string) => {
          if (failing && text === "ROLLBACK") throw new Error("no");
          handle.exec(text);
        },
        close: () => handle.close(),
      };
    });
    locks.push(stuck);
    expect(await stuck.alone(async () => 1)).toBe(1);
    expect(await newLock().alone(async () => 2)).toBe(2);
    expect(await stuck.alone(async () => 3)).toBe(3);
    expect(opened).toBe(2);
  });

  test("a queue that is too long is refused at once", async () => {
    const lock = newLock({ queue: 3, milliseconds: 5000 });
    const waiting = [1, 2, 3].map((value) => lock.alone(async () => value));
    await expect(lock.alone(async () => 4)).rejects.toMatchObject({ code: "EBUSY" });
    expect(await Promise.all(waiting)).toEqual([1, 2, 3]);
    expect(await lock.alone(async () => 5)).toBe(5);
  });
});

describe("a file that is not what it should be", () => {
  test("replaced while it was open: the lock is taken on the file that is there", async () => {
    const [one, two] = [newLock(), newLock()];
    await one.alone(async () => {});
    fs.rmSync(join(root, ".notewright"), { recursive: true });
    let inside = 0;
    const turns = [two, one, two, one].map((lock) =>
      lock.alone(async () => {
        expect(inside++).toBe(0);
        await wait(10);
        inside--;
      }),
    );
    await Promise.all(turns);
  });

  test.each<[string, () => void]>([
    ["no database", () => fs.writeFileSync(file, "planted ".repeat(1000))],
    ["a folder", () => fs.mkdirSync(file)],
    ["a link to a file outside", () => fs.symlinkSync(join(root, "outside.db"), file)],
  ])("%s: set aside and made anew", async (_, plant) => {
    fs.mkdirSync(join(root, ".notewright"));
    plant();
    const [one, two] = [newLock(), newLock()];
    expect(await Promise.all([one.alone(async () => 1), two.alone(async () => 2)])).toEqual([1, 2]);
    expect(fs.lstatSync(file).isFile()).toBe(true);
    expect(fs.existsSync(join(root, "outside.db"))).toBe(false);
    const aside = fs
      .readdirSync(join(root, ".notewright"))
      .filter((name) => name.startsWith("lock-set-aside"));
    expect(aside).toHaveLength(1);
  });

  /** A lock over a disk on which some calls go another way. */
  const lockOn = (other: Partial<Disk>, opener: typeof open | (() => LockFile) = open): Lock => {
    const lock = vaultLock({ ...openDisk(root), ...other }, opener, { queue: 9, milliseconds: 60 });
    locks.push(lock);
    return lock;
  };
  const throwing = (errcode?: number) => () => ({
    exec: (text: string) => {
      if (text.startsWith("BEGIN"))
        throw Object.assign(new Error("sqlite"), errcode === undefined ? {} : { errcode });
    },
    close: () => undefined,
  });

  test.each([
    ["full", 13, "ENOSPC"],
    ["forbidden", 3, "EACCES"],
    ["read-only", 8, "EACCES"],
    ["not to be opened", 14, "EACCES"],
    ["failing", 10, "EIO"],
    ["never a database", 26, "EIO"],
    ["always damaged", 11, "EIO"],
    ["always taken", 5, "EBUSY"],
    ["always locked", 6, "EBUSY"],
    ["always locked, in SQLite's longer words", 262, "EBUSY"],
  ])("%s: the refusal says which", async (_, errcode, code) => {
    await expect(lockOn({}, throwing(errcode)).alone(async () => {})).rejects.toMatchObject({ code });
  });

  test("an error that is none of SQLite's goes on as it is", async () => {
    await expect(lockOn({}, throwing()).alone(async () => {})).rejects.toThrow("sqlite");
  });

  test("made by another process in the same moment: that one is taken", async () => {
    const { create } = openDisk(root);
    const twice: Disk["create"] = (...given) => {
      create(...given);
      if (given[0].endsWith("/lock")) create(...given);
    };
    expect(await lockOn({ create: twice }).alone(async () => "done")).toBe("done");
    const refused: Disk["create"] = () => {
      throw diskError("EROFS", "no");
    };
    fs.rmSync(file);
    await expect(lockOn({ create: refused }).alone(async () => {})).rejects.toMatchObject({ code: "EROFS" });
  });

  test("never seen where it was made: given up, not believed", async () => {
    const { look } = openDisk(root);
    const blind: Disk["look"] = (path) => (path.endsWith("/lock") ? null : look(path));
    await expect(lockOn({ look: blind }).alone(async () => {})).rejects.toMatchObject({ code: "EBUSY" });
  });

  test("set aside by another process in the same moment, or not to be set aside", async () => {
    fs.mkdirSync(file, { recursive: true });
    const gone: Disk["rename"] = () => {
      fs.rmSync(file, { recursive: true });
      throw diskError("ENOENT", "gone");
    };
    expect(await lockOn({ rename: gone }).alone(async () => "done")).toBe("done");
    fs.rmSync(file);
    fs.mkdirSync(file);
    const kept: Disk["rename"] = () => {
      throw diskError("EROFS", "no");
    };
    await expect(lockOn({ rename: kept }).alone(async () => {})).rejects.toMatchObject({ code: "EROFS" });
  });

  test("our folder being a link is refused", async () => {
    fs.mkdirSync(join(root, "elsewhere"));
    fs.symlinkSync("elsewhere", join(root, ".notewright"));
    await expect(newLock().alone(async () => {})).rejects.toMatchObject({ code: "EHOME" });
    expect(fs.readdirSync(join(root, "elsewhere"))).toEqual([]);
  });
});
