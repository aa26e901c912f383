/** What the page of each vault keeps while the server runs: its calls, one session, and its events. */

import type { HttpVault } from "../http/parts.ts";
import type { Identity } from "../identity/identity.ts";
import { openSession, READING, type Session } from "../protocol/session.ts";
import { openSlots } from "../protocol/slots.ts";
import type { Surface, Tool } from "../surfaces/surface.ts";
import { openWordCounts, type WordCounts } from "./calls/diffs.ts";
import { revisionOf } from "./calls/history.ts";
import { callOf } from "./calls/reviewing.ts";
import { openEvents, type Events, type Source } from "./events.ts";
import { recordedSource } from "./recorded.ts";
import { pageSurface } from "./surface.ts";

export type Room = { vault: HttpVault; surface: Surface; session: Session; events: Events };
/** What calls need of it: the words that changes added and removed, as far as they were counted, and the id of the newest event. */
export type Kept = { count: WordCounts; heard(): string };
export type Rooms = { of(vault: HttpVault): Room; close(): void };

type RoomParts = {
  readOnly: boolean;
  tools(vault: HttpVault, kept: Kept): Tool[];
  log(line: string): void;
};

/** What the history calls the program. */
export const PROGRAM = "page";

export const openRooms = ({ readOnly, tools, log }: RoomParts, person: Identity, boot: string): Rooms => {
  const slots = openSlots(READING, () => null);
  const rooms = new Map<string, Room>();
  /** Only the owner hears of proposals. */
  const owned = (vault: HttpVault) =>
    vault
      .notebook(person)
      .as({ client: person.name, surface: PROGRAM, tool: "", connection: "", rights: "admin" });
  const open = (vault: HttpVault): Room => {
    const count = openWordCounts();
    const notebook = vault.notebook(person);
    const others: Source[] = [
      (tell) =>
        vault.activity?.listen((made) => tell({ kind: "call", call: callOf(made) })) ?? (() => undefined),
      (tell) =>
        readOnly ? () => undefined : owned(vault).proposals.listen(() => tell({ kind: "proposal" })),
      recordedSource(notebook, (recorded) => revisionOf(owned(vault), count, recorded)),
    ];
    const events = openEvents(notebook, boot, { others });
    const surface = pageSurface(tools(vault, { count, heard: events.at }));
    const session = openSession(surface, notebook, person, { slots, log });
    return { vault, surface, session, events };
  };
  return {
    of(vault) {
      const room = rooms.get(vault.name) ?? open(vault);
      rooms.set(vault.name, room);
      return room;
    },
    close() {
      for (const { events } of rooms.values()) events.close();
    },
  };
};
