/** The command `doctor`: what runs, where things are kept, which setting won, who is connected, and what to do about what is wrong. It prints no token and no text of a note. */

import { printableJson } from "../../markdown/label.ts";
import { COMMANDS } from "../commands.ts";
import type { FolderSettings } from "../../vault/open.ts";
import { placesOf, usageError, type Environment, type Settings } from "../settings.ts";
import { painter, printable } from "../terminal.ts";
import { vaultOf, type Vault } from "../which-vault.ts";
import { clientFindings } from "./clients.ts";
import type { Finding } from "./finding.ts";
import { programFindings } from "./program.ts";
import { settingFindings } from "./settings.ts";
import { vaultFindings } from "./vault.ts";

const TITLES: Record<Finding["part"], string> = {
  program: "Notewright",
  vault: "The vault",
  places: "Where things are kept",
  settings: "Settings",
  clients: "Clients",
};
const WHY: Record<Vault["by"], string> = {
  argument: "as you named it",
  environment: "from NOTEWRIGHT_VAULT",
  around: "around this folder",
  settings: "from the settings file",
};
const COLUMN = 18;

const text = (findings: readonly Finding[], environment: Environment): string => {
  const paint = painter(process.stdout, environment);
  const part = ([name, title]: [string, string]): string => {
    const lines = findings
      .filter((finding) => finding.part === name)
      .map(({ what, is, next, wrong: bad }) => {
        const line = printable(`  ${what.padEnd(COLUMN)}${is}`);
        const advice = next === undefined ? "" : `\n${paint(bad ? 31 : 2, printable(`    → ${next}`))}`;
        return `${line}${advice}\n`;
      });
    return `${paint(1, title)}\n${lines.join("")}\n`;
  };
  const count = findings.filter((finding) => finding.wrong).length;
  const verdict =
    count === 0
      ? "Nothing needs you."
      : `${count === 1 ? "One thing needs" : `${count} things need`} you: see the arrows above.`;
  return `${Object.entries(TITLES).map(part).join("")}${verdict}\n`;
};

/** The vault is looked at and not opened, so what opens one need not be loaded. */
const toLookAt = (values: Settings["values"], environment: Environment): FolderSettings => ({
  readOnly: true,
  ...placesOf(values),
  durability: "full",
  history: true,
  timeZone: undefined,
  environment,
  report: () => undefined,
  tell: () => undefined,
});

export const run = async ({ values, rest }: Settings, environment: Environment): Promise<void> => {
  if (rest.length > 1) throw usageError(`doctor takes one vault, not ${rest.length}: ${rest.join(", ")}.`);
  const vault = vaultOf(rest[0], { environment });
  const looked = vaultFindings(
    vault?.root ?? null,
    vault ? WHY[vault.by] : "",
    toLookAt(values, environment),
  );
  const findings = [
    ...(await programFindings()),
    ...looked.findings,
    ...settingFindings(
      values,
      environment,
      Object.values(COMMANDS).map(({ flags }) => flags),
    ),
    ...clientFindings(looked.root, environment),
  ];
  const healthy = !findings.some((finding) => finding.wrong);
  process.stdout.write(
    values.json ? `${printableJson({ healthy, findings })}\n` : text(findings, environment),
  );
  if (!healthy) process.exitCode = 1;
};
