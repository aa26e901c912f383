/** Clients that are connected to this vault, and entries of ours that cannot work. */

import { existsSync } from "node:fs";
import { isAbsolute } from "node:path";
import { CLIENTS } from "../install/clients.ts";
import type { Ours } from "../install/entries.ts";
import { connectedHere, machineHere, realPlace } from "../install/here.ts";
import { placeServed } from "../install/uninstall.ts";
import type { Environment } from "../settings.ts";
import { shellWord } from "../shell-word.ts";
import { wrong, type Finding } from "./finding.ts";

/** A file that the entry starts and that is not there. */
const missingFile = ({ entry }: Ours): string | undefined => {
  const args = Array.isArray(entry.args) ? entry.args.map(String) : [];
  const files = [String(entry.command ?? ""), ...args.filter((arg) => arg.endsWith("notewright.mjs"))];
  return files.find((file) => isAbsolute(file) && !existsSync(file));
};

export const clientFindings = (root: string | null, environment: Environment): Finding[] => {
  const found = connectedHere(machineHere(environment)).flatMap(
    ({ client, file, ours, trouble }): Finding[] => {
      const title = CLIENTS[client]!.title;
      if (trouble !== null) return [wrong("clients", title, `${file} cannot be read`, trouble)];
      return ours.flatMap((one): Finding[] => {
        const { served } = one;
        const here =
          "vault" in served && (served.vault === null || (root !== null && realPlace(served.vault) === root));
        const missing = missingFile(one);
        const is = `${here ? "connected to this vault" : `connected to ${placeServed(served)}`} (${file})`;
        if (missing === undefined) return [{ part: "clients", what: title, is }];
        return [
          wrong(
            "clients",
            title,
            is,
            `It starts ${missing}, which is not there: run notewright install --client ${client} again.`,
          ),
        ];
      });
    },
  );
  if (found.length > 0) return found;
  return [
    {
      part: "clients",
      what: "connected",
      is: "none",
      next: `notewright install --vault ${root === null ? "~/Notes" : shellWord(root)} lists the clients of this computer.`,
    },
  ];
};
