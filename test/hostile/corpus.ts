/** A vault made by somebody who means harm: more than three hundred files of every odd and hostile kind, planted beside things that must not be touched. */

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { encodings } from "./encodings.ts";
import { frontmatters } from "./frontmatters.ts";
import { MARK, SECRET, type Item, type World } from "./item.ts";
import { links } from "./links.ts";
import { names } from "./names.ts";
import { specialFiles } from "./special-files.ts";
import { texts } from "./texts.ts";
import { traps } from "./traps.ts";

export const items = (): Item[] => [
  ...names(),
  ...specialFiles(),
  ...texts(),
  ...frontmatters(),
  ...encodings(),
  ...links(),
  ...traps(),
];

export type Planted = World & { items: Item[] };

/** Plants everything below `place`; `crowd` is how many plain notes lie together in one folder. */
export const plantVault = (place: string, { crowd, port }: { crowd: number; port: number }): Planted => {
  const world: World = {
    vault: join(place, "vault"),
    outside: join(place, "outside"),
    sibling: join(place, "vault-evil"),
    port,
  };
  for (const folder of [world.outside, world.sibling]) {
    mkdirSync(join(folder, "folder"), { recursive: true });
    writeFileSync(join(folder, "secret.md"), `# Secret\n\n${SECRET}\n`);
    writeFileSync(join(folder, "folder/inner.md"), `${SECRET}\n`);
  }
  mkdirSync(join(world.vault, "crowd"), { recursive: true });
  const planted = items();
  for (const item of planted) {
    const at = join(world.vault, item.path);
    mkdirSync(dirname(at), { recursive: true });
    item.plant(at, world);
  }
  for (let number = 0; number < crowd; number++)
    writeFileSync(
      join(world.vault, `crowd/one of many ${number}.md`),
      `# Crowd ${number}\n\n${MARK} [[one of many ${(number * 7) % crowd}]] #crowd\n`,
    );
  return { ...world, items: planted };
};
