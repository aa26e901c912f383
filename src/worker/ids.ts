/** Ids of workspaces: the first part of their addresses, so that words which are routes are taken. */

const ID = /^[a-z0-9-]{3,63}$/;
const RESERVED = ["admin", "api", "assets", "authorize", "healthz", "mcp", "oauth", "well-known"];

export const isWorkspaceId = (text: string): boolean => ID.test(text) && !RESERVED.includes(text);

export const NO_ID = `An id has 3 to 63 of a-z, 0-9 and -, and is none of: ${RESERVED.join(", ")}.`;
