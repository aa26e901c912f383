/** The document and the files of the page at the edge: the Worker's assets, with the policy that every answer of the page has. */

import { notFound } from "../http/answers.ts";
import { documentAnswer, fileAnswer, type PageFiles } from "../web/document.ts";
import type { Assets } from "./runtime.ts";

export const edgeDocument = async (assets: Assets | undefined): Promise<Response> =>
  documentAnswer(await filesWith(assets, "index.html"), true);

export const edgeFile = async (assets: Assets | undefined, name: string): Promise<Response> =>
  fileAnswer(await filesWith(assets, name), name) ?? notFound();

const filesWith = async (assets: Assets | undefined, name: string): Promise<PageFiles> => {
  // What is called index.html is served at the root alone.
  const path = name === "index.html" ? "" : name;
  const response = await assets?.fetch(new Request(`https://assets.invalid/${path}`));
  const bytes = response?.ok ? new Uint8Array(await response.arrayBuffer()) : null;
  const file = bytes && { bytes, type: response!.headers.get("content-type") ?? "" };
  return { read: () => file };
};
