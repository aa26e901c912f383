/** server.json, by which the MCP registry lists us, made from package.json: the npm package, the .mcpb bundle and the image. Owner and image come from `repository`. */

import { readFileSync } from "node:fs";
import { z } from "zod";

const SURFACES = ["native", "obsidian", "bridges", "wiki", "cairn", "notes"];

/** Owner and name of the GitHub repository; a refusal where package.json names none. */
export const repositoryOf = ({ repository }) => {
  const url = typeof repository === "string" ? repository : (repository?.url ?? "");
  const [, owner, name] = /github(?:\.com[/:]|:)([\w.-]+)\/([\w.-]+?)(?:\.git)?$/.exec(url) ?? [];
  if (owner === undefined)
    throw new Error(
      'package.json names no GitHub repository, so nobody knows who publishes. Add it: "repository": {"type": "git", "url": "git+https://github.com/OWNER/NAME.git"}.',
    );
  return { owner, name, url: `https://github.com/${owner}/${name}` };
};

/** The registry proves the npm package ours by this name in its package.json. */
export const registryName = (manifest) => `io.github.${repositoryOf(manifest).owner}/notewright`;
export const imageOf = (manifest) =>
  `ghcr.io/${repositoryOf(manifest).owner.toLowerCase()}/notewright:${manifest.version}`;

const environmentVariables = [
  { name: "NOTEWRIGHT_TOOLS", description: "The set of tools", choices: SURFACES, default: "native" },
  {
    name: "NOTEWRIGHT_READ_ONLY",
    description: "Leave out every tool that writes",
    format: "boolean",
    default: "false",
  },
];
const vault = {
  type: "positional",
  valueHint: "vault",
  description: "The folder of Markdown notes",
  format: "filepath",
  isRequired: true,
};

/** `sha256` is that of the bundle. */
export const serverJson = (manifest, sha256) => {
  const { url } = repositoryOf(manifest);
  const { version } = manifest;
  return {
    $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
    name: registryName(manifest),
    title: "Notewright",
    description: "Your folder of plain Markdown notes: read, search, link, edit and undo, safely.",
    version,
    repository: { url, source: "github" },
    packages: [
      {
        registryType: "npm",
        identifier: "notewright",
        version,
        runtimeHint: "npx",
        transport: { type: "stdio" },
        packageArguments: [{ type: "positional", value: "serve" }, vault],
        environmentVariables,
      },
      {
        registryType: "mcpb",
        identifier: `${url}/releases/download/v${version}/notewright-${version}.mcpb`,
        fileSha256: sha256,
        transport: { type: "stdio" },
      },
      {
        registryType: "oci",
        identifier: imageOf(manifest),
        runtimeHint: "docker",
        transport: { type: "stdio" },
        runtimeArguments: [
          { type: "named", name: "-i" },
          { type: "named", name: "--rm" },
          {
            type: "named",
            name: "-v",
            value: "{vault}:/vault",
            description: "The folder of Markdown notes",
            isRequired: true,
            variables: { vault: { format: "filepath", isRequired: true } },
          },
        ],
        packageArguments: [
          { type: "positional", value: "serve" },
          { type: "positional", value: "/vault" },
        ],
        environmentVariables,
      },
    ],
  };
};

/** The same, if the registry's schema takes it. */
export const checkedServerJson = (manifest, sha256) => {
  const schema = readFileSync(new URL("../packaging/server.schema.json", import.meta.url), "utf8");
  const made = serverJson(manifest, sha256);
  const { error } = z.fromJSONSchema(JSON.parse(schema)).safeParse(made);
  if (error) throw new Error(`The registry would refuse server.json:\n${z.prettifyError(error)}`);
  return made;
};
