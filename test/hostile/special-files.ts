/** What lies in a folder and is no plain file: links out, in, in circles and to nothing, pipes, sockets, devices; and plain files of absurd size. */

import { execFileSync } from "node:child_process";
import {
  chmodSync,
  closeSync,
  ftruncateSync,
  linkSync,
  mkdirSync,
  openSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { file, MARK, type Item, type World } from "./item.ts";

/** The hard link's other name, outside: its bytes are the vault's to read, and must not change. */
export const HARD_LINK = "files/hard link.md";

const link = (path: string, target: string | ((world: World) => string)): Item => ({
  path,
  listed: "links",
  plant: (at, world) => symlinkSync(typeof target === "string" ? target : target(world), at),
});

const special = (path: string, make: (at: string) => void): Item => ({
  path,
  listed: "special_files",
  plant: make,
});

const LINKS: Item[] = [
  link("files/link to a note.md", "../names/HEAD.md"),
  link("files/link outside.md", (world) => join(world.outside, "secret.md")),
  link("files/link up.md", "../../outside/secret.md"),
  link("files/link to sibling.md", (world) => join(world.sibling, "secret.md")),
  link("files/link to passwd.md", "/etc/passwd"),
  link("files/link to proc.md", "/proc/self/environ"),
  link("files/link to device.md", "/dev/zero"),
  link("files/link to terminal.md", "/dev/tty"),
  link("files/dangling.md", "nowhere.md"),
  link("files/dangling outside.md", (world) => join(world.outside, "not there yet.md")),
  link("files/chain 1.md", "chain 2.md"),
  link("files/chain 2.md", "chain 3.md"),
  link("files/chain 3.md", (world) => join(world.outside, "secret.md")),
  link("files/circle a.md", "circle b.md"),
  link("files/circle b.md", "circle a.md"),
  link("files/self.md", "self.md"),
  link("files/folder outside", (world) => world.outside),
  link("files/folder up", ".."),
  link("files/folder here", "."),
  link("files/root", "/"),
  link("files/home", "/root"),
  link("files/folder inside", "../names"),
  link("files/link to hidden.md", "../.obsidian/app.json"),
  link("files/empty target.md", " "),
];

/** Only root can make devices, and only where the system allows it; elsewhere a pipe stands in their place. */
const device = (at: string, ...numbers: string[]): void => {
  try {
    execFileSync("mknod", [at, ...numbers], { stdio: "ignore" });
  } catch {
    execFileSync("mkfifo", [at]);
  }
};

// Node binds a socket only while a server runs; Python's leaves its file behind.
const SOCKET = "import socket,os,sys; os.chdir(sys.argv[1]); socket.socket(socket.AF_UNIX).bind(sys.argv[2])";

const SPECIAL: Item[] = [
  special("files/pipe.md", (at) => execFileSync("mkfifo", [at])),
  special("files/pipe without ending", (at) => execFileSync("mkfifo", [at])),
  special("files/socket.md", (at) => execFileSync("python3", ["-c", SOCKET, dirname(at), basename(at)])),
  special("files/null.md", (at) => device(at, "c", "1", "3")),
  special("files/zero.md", (at) => device(at, "c", "1", "5")),
  special("files/disk.md", (at) => device(at, "b", "7", "99")),
];

const sparse = (path: string, size: number): Item => ({
  path,
  listed: "too_large",
  plant(at) {
    const handle = openSync(at, "w");
    ftruncateSync(handle, size);
    closeSync(handle);
  },
});

export const specialFiles = (): Item[] => [
  ...LINKS,
  ...SPECIAL,
  sparse("files/sparse gigabyte.md", 1024 ** 3),
  sparse("files/sparse terabyte.md", 1024 ** 4),
  file("files/fifty megabytes.md", Buffer.alloc(50_000_000, `${MARK} and more words\n`), "too_large"),
  file("files/just over.md", Buffer.alloc(8 * 1024 * 1024 + 1, "a"), "too_large"),
  { path: "files/folder.md", plant: (at) => mkdirSync(at) },
  {
    path: HARD_LINK,
    plant(at, world) {
      writeFileSync(join(world.outside, "hard.md"), `# Shared bytes\n\n${MARK}\n`);
      linkSync(join(world.outside, "hard.md"), at);
    },
  },
  // Root reads it all the same; for anyone else its notes are reported as out of reach.
  {
    path: "locked/inside.md",
    plant(at) {
      writeFileSync(at, MARK);
      chmodSync(dirname(at), 0o000);
    },
  },
  {
    path: "files/locked.md",
    plant(at) {
      writeFileSync(at, MARK);
      chmodSync(at, 0o000);
    },
  },
  {
    path: "files/write-protected.md",
    plant(at) {
      writeFileSync(at, MARK);
      chmodSync(at, 0o444);
    },
  },
  {
    path: "files/executable.md",
    plant(at) {
      writeFileSync(at, `#!/bin/sh\necho ${MARK}\n`);
      chmodSync(at, 0o755);
    },
  },
];
