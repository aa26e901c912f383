/** Disks that lie on another machine, as far as the kernel tells: there a lock may bind only this machine, or nobody. */

import type { Calls } from "./calls.ts";

// The numbers are those of statfs(2).
const NETWORK: Record<number, string> = {
  0x6969: "NFS",
  0x517b: "SMB",
  0xfe534d42: "SMB",
  0xff534d42: "SMB",
  0x5346414f: "AFS",
  0x6b414653: "AFS",
  0x00c36400: "Ceph",
  0x73757245: "Coda",
  0x564c: "NCP",
  0x0bd00bd0: "Lustre",
  0x47504653: "GPFS",
};
/** These hand on to another program or machine, which may be anything. Locks among programs of this machine work on them. */
const HANDED_ON: Record<number, string> = {
  0x65735546: "FUSE",
  0x01021997: "9p",
  0x786f4256: "a shared folder of VirtualBox",
  0x7c7c6673: "a shared folder of Parallels",
};

export type Far = { name: string; certain: boolean };

export function farDisk(root: string, calls: Calls): Far | null {
  let type: number | null;
  try {
    type = calls.diskType(root);
  } catch {
    return null;
  }
  const number = (type ?? 0) >>> 0;
  if (NETWORK[number] !== undefined) return { name: NETWORK[number], certain: true };
  return HANDED_ON[number] === undefined ? null : { name: HANDED_ON[number], certain: false };
}
