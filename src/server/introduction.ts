/** How the server introduces itself, and the first words of a session of the older protocol. Without the protocol library, which takes longer to load than all that a first answer needs. */

import type { Implementation, ServerCapabilities } from "@modelcontextprotocol/server";
import type { Surface } from "../surfaces/surface.ts";

export type Introduction = {
  info: Implementation;
  capabilities: ServerCapabilities;
  instructions: string;
};

export const introductionOf = (surface: Surface, version: string): Introduction => ({
  info: { name: "notewright", title: "Notewright", version },
  capabilities: { tools: {}, ...besides(surface) },
  instructions: surface.instructions,
});

const besides = ({ resources, prompts }: Surface): ServerCapabilities => ({
  ...(resources ? { resources: { subscribe: true, listChanged: true } } : {}),
  ...(prompts ? { prompts: {} } : {}),
  ...(resources || prompts ? { completions: {} } : {}),
});

/** Those of the older protocol that the library speaks, the newest first. */
export const VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"];

/** What the library answers an `initialize` that is in order. */
export const welcome = ({ info, capabilities, instructions }: Introduction, asked: string): object => ({
  protocolVersion: VERSIONS.includes(asked) ? asked : VERSIONS[0],
  capabilities,
  serverInfo: info,
  ...(instructions === "" ? {} : { instructions }),
});

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
export const hasOnly = (value: object, names: readonly string[]): boolean =>
  Object.keys(value).every((name) => names.includes(name));
const holdsObjects = (value: unknown, names?: readonly string[]): boolean =>
  isObject(value) && (!names || hasOnly(value, names)) && Object.values(value).every(isObject);
const isEmpty = (value: unknown): boolean => isObject(value) && Object.keys(value).length === 0;

/** What a client may say of itself that needs no closer look. */
const CAPABILITIES: Record<string, (value: unknown) => boolean> = {
  roots: (value) =>
    isObject(value) &&
    hasOnly(value, ["listChanged"]) &&
    ["boolean", "undefined"].includes(typeof value["listChanged"]),
  sampling: (value) => holdsObjects(value, ["context", "tools"]),
  elicitation: (value) =>
    isObject(value) && hasOnly(value, ["form", "url"]) && Object.values(value).every(isEmpty),
  experimental: (value) => holdsObjects(value),
};
const NAMES = ["name", "title", "version", "websiteUrl", "description"];

export type Hello = { protocolVersion: string; clientInfo: { name: string } };

/** The parameters of an `initialize` that nothing can be said against; null for others. */
export const helloOf = (params: unknown): Hello | null => {
  if (!isObject(params) || !hasOnly(params, ["protocolVersion", "capabilities", "clientInfo"])) return null;
  const { protocolVersion, capabilities, clientInfo } = params;
  if (typeof protocolVersion !== "string" || !isObject(capabilities) || !isObject(clientInfo)) return null;
  const { name, version } = clientInfo;
  if (typeof name !== "string" || typeof version !== "string" || !hasOnly(clientInfo, NAMES)) return null;
  if (!Object.values(clientInfo).every((word) => typeof word === "string")) return null;
  for (const [kind, value] of Object.entries(capabilities))
    if (!Object.hasOwn(CAPABILITIES, kind) || !CAPABILITIES[kind]!(value)) return null;
  return { protocolVersion, clientInfo: { name } };
};
