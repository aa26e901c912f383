/** The calls of the owner, as JSON: workspaces are made, members come and go. */

import { notAllowed, notFound, refusal } from "../http/answers.ts";
import { parsedJson, type Bodies } from "../http/body.ts";
import { foldersFrom } from "../identity/folders.ts";
import { NAME, RIGHTS, type Identity } from "../identity/identity.ts";
import { newToken, secretOf } from "../identity/token.ts";
import { zoneNamed } from "../notebook/zone.ts";
import { isWorkspaceId, NO_ID } from "./ids.ts";
import type { Members } from "./members.ts";
import type { WorkspaceCalls } from "./runtime.ts";

export type AdminParts = {
  members: Members;
  workspace(id: string): Pick<WorkspaceCalls, "rebuildIndex" | "setTimeZone">;
  /** A code with which the owner signs in once. */
  newCode(): Promise<string>;
  bodies: Bodies;
  now(): Date;
};

type Given = Record<string, unknown>;
/** A call: its method, its path below `/admin` with what it names, the fields of its body, and what it does. */
type Call = {
  method: string;
  path: RegExp;
  fields: readonly string[];
  run(given: Given, id: string, name: string): Promise<Response>;
};

/** Answers whoever the owner is known to be. */
export const openAdmin = (parts: AdminParts): ((request: Request) => Promise<Response>) => {
  const calls = callsOf(parts);
  // One after another: a workspace must not be made twice at once.
  let last: Promise<unknown> = Promise.resolve();
  return async (request) => {
    const path = new URL(request.url).pathname.replace(/^\/admin/, "");
    const there = calls.filter((call) => call.path.test(path));
    const call = there.find(({ method }) => method === request.method);
    if (!call)
      return there.length > 0 ? notAllowed(there.map(({ method }) => method).join(", ")) : notFound();
    const given = call.fields.length === 0 ? {} : await fieldsOf(request, parts.bodies, call.fields);
    if (given instanceof Response) return given;
    const [, id = "", name = ""] = call.path.exec(path)!;
    const mine = last.then(() => call.run(given, id, name));
    last = mine.catch(() => undefined);
    return mine;
  };
};

const callsOf = ({ members, workspace, newCode, now }: AdminParts): readonly Call[] => {
  const known =
    (run: Call["run"]): Call["run"] =>
    async (given, id, name) =>
      members.hasWorkspace(id)
        ? run(given, id, name)
        : refusal(404, "There is no workspace of that id.", {}, "not_found");
  return [
    {
      method: "POST",
      path: /^\/workspaces$/,
      fields: ["id", "timezone"],
      async run({ id, timezone = "UTC" }) {
        if (typeof id !== "string" || !isWorkspaceId(id)) return wrong(NO_ID);
        const zone = zoneNamed(timezone);
        if (zone === null) return wrong(NO_ZONE);
        if (members.hasWorkspace(id)) return taken(`There is a workspace "${id}" already.`);
        await workspace(id).setTimeZone(zone);
        members.addWorkspace(id);
        return done({ id, timezone: zone }, 201);
      },
    },
    {
      method: "PATCH",
      path: /^\/workspaces\/([^/]+)$/,
      fields: ["timezone"],
      run: known(async ({ timezone }, id) => {
        const zone = zoneNamed(timezone);
        if (zone === null) return wrong(NO_ZONE);
        await workspace(id).setTimeZone(zone);
        return done({ id, timezone: zone });
      }),
    },
    {
      method: "POST",
      path: /^\/workspaces\/([^/]+)\/rebuild-index$/,
      fields: [],
      run: known(async (_, id) => {
        await workspace(id).rebuildIndex();
        return done({ id }, 202);
      }),
    },
    {
      method: "POST",
      path: /^\/workspaces\/([^/]+)\/members$/,
      fields: ["name", "rights", "folders"],
      run: known(async ({ name, rights, folders = "all" }, id) => {
        const right = RIGHTS.find((each) => each === rights);
        const kept = folders === "all" ? "all" : foldersFrom(folders);
        if (typeof name !== "string" || !NAME.test(name)) return wrong(NO_NAME);
        if (right === undefined) return wrong(`Say what it may do: rights is one of ${RIGHTS.join(", ")}.`);
        if (kept === null) return wrong(NO_FOLDERS);
        const token = newToken();
        const member: Identity = {
          name,
          vault: id,
          secret: await secretOf(token),
          made: now().toISOString(),
          rights: right,
          folders: kept,
          surfaces: "all",
        };
        if (!members.add(member)) return taken(`There is a member "${name}" already. Remove it first.`);
        return done({ name, rights: right, folders: kept, token }, 201);
      }),
    },
    {
      method: "POST",
      path: /^\/codes$/,
      fields: [],
      run: async () => done({ code: await newCode() }, 201),
    },
    {
      method: "DELETE",
      path: /^\/workspaces\/([^/]+)\/members\/([^/]+)$/,
      fields: [],
      run: known(async (_, id, name) => {
        const gone = members.remove(id, decoded(name));
        if (!gone) return refusal(404, "The workspace has no member of that name.", {}, "not_found");
        return done({ name: gone.name });
      }),
    },
  ];
};

const NO_ZONE = "There is no such time zone. Give its IANA name, such as Europe/Berlin.";
const NO_NAME =
  "A name has letters, digits, blanks and ._@-, at most 63, and begins with a letter or a digit.";
const NO_FOLDERS = 'Folders are a list of names, such as ["Projects/Garden"], or "all".';

const done = (value: object, status = 200): Response =>
  Response.json(value, { status, headers: { "cache-control": "no-store" } });
const wrong = (sentence: string): Response => refusal(400, sentence, {}, "input_refused");
const taken = (sentence: string): Response => refusal(409, sentence, {}, "exists");

/** A name in an address; one that cannot be read is nobody's. */
const decoded = (name: string): string => {
  try {
    return decodeURIComponent(name);
  } catch {
    return "";
  }
};

/** The body of a call: an object with these fields and no others. */
const fieldsOf = async (
  request: Request,
  bodies: Bodies,
  fields: readonly string[],
): Promise<Given | Response> => {
  const taken = await bodies.read(request, { address: "" });
  if (taken instanceof Response) return taken;
  const parsed = parsedJson(taken.bytes);
  taken.done();
  const value = parsed instanceof Response ? null : parsed.value;
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return wrong("The body must be a JSON object.");
  const strange = Object.keys(value).find((name) => !fields.includes(name));
  if (strange !== undefined)
    return wrong(
      `${JSON.stringify(strange.slice(0, 50))} is not taken here. The fields are: ${fields.join(", ")}.`,
    );
  return value as Given;
};
