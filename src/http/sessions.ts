/** Sessions that outlive a request: kept by owner and key, ended when they are idle for long, are too many, or their identity is gone. */

import type { Limits } from "./limits.ts";

/** An identity with its rights on one surface of one vault; the limit is that of the identity. */
export type Owner = { identity: string; rights: string; vault: string; surface: string };
type Entry<T> = { owner: Owner; key: string; value: T; used: number; busy: number };

export type Sessions<T> = {
  /** Counts as a use. */
  find(owner: Owner, key: string): T | null;
  /** Where there are too many, the one that was idle for longest is ended. */
  add(owner: Owner, key: string, value: T): void;
  remove(owner: Owner, key: string): void;
  removeAll(owner?: Owner): void;
  /** Holds a session in use until the function it gives is called. */
  hold(owner: Owner, key: string): () => void;
  /** Ends what was idle for too long. */
  sweep(): void;
  size(): number;
};

export const openSessions = <T>(
  limits: Pick<Limits, "sessions" | "sessionsEach" | "sessionIdle">,
  end: (value: T) => void,
  now: () => number,
): Sessions<T> => {
  // Maps keep their order: whatever is used is put last, so what was idle for longest stands first.
  const entries = new Map<string, Entry<T>>();
  const counts = new Map<string, number>();
  const idOf = ({ identity, rights, vault, surface }: Owner, key: string): string =>
    JSON.stringify([identity, rights, vault, surface, key]);

  const drop = (id: string): void => {
    const entry = entries.get(id);
    if (!entry) return;
    entries.delete(id);
    const { identity } = entry.owner;
    const left = counts.get(identity)! - 1;
    if (left === 0) counts.delete(identity);
    else counts.set(identity, left);
    end(entry.value);
  };
  const use = (id: string): Entry<T> | null => {
    const entry = entries.get(id);
    if (!entry) return null;
    entries.delete(id);
    entries.set(id, entry);
    entry.used = now();
    return entry;
  };
  const dropOldest = (of: (entry: Entry<T>) => boolean): void => {
    let first: string | undefined;
    for (const [id, entry] of entries) {
      if (!of(entry)) continue;
      first ??= id;
      if (entry.busy > 0) continue;
      return drop(id);
    }
    if (first !== undefined) drop(first);
  };

  return {
    find: (owner, key) => use(idOf(owner, key))?.value ?? null,
    add(owner, key, value) {
      drop(idOf(owner, key));
      const { identity } = owner;
      if ((counts.get(identity) ?? 0) >= limits.sessionsEach)
        dropOldest((entry) => entry.owner.identity === identity);
      if (entries.size >= limits.sessions) dropOldest(() => true);
      entries.set(idOf(owner, key), { owner, key, value, used: now(), busy: 0 });
      counts.set(identity, (counts.get(identity) ?? 0) + 1);
    },
    remove: (owner, key) => drop(idOf(owner, key)),
    removeAll(owner) {
      for (const [id, entry] of entries) if (owner === undefined || entry.owner === owner) drop(id);
    },
    hold(owner, key) {
      const entry = use(idOf(owner, key));
      if (!entry) return () => undefined;
      entry.busy++;
      let held = true;
      return () => {
        if (held) entry.busy--;
        if (held) use(idOf(owner, key));
        held = false;
      };
    },
    sweep() {
      for (const [id, { used, busy }] of entries)
        if (busy === 0 && now() - used >= limits.sessionIdle) drop(id);
    },
    size: () => entries.size,
  };
};
