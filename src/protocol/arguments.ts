/** A tool's arguments: the JSON Schema clients are shown, made once from zod, and the check of what they send. */

import { z } from "zod";
import { NoteError } from "../markdown/errors.ts";
import type { Tool } from "../surfaces/surface.ts";
import { closestWord } from "../markdown/closest-word.ts";
import { coerced } from "./coercion.ts";

export type Schema = { type: "object"; properties?: Record<string, Property>; required?: string[] } & Record<
  string,
  unknown
>;
type Nested = { properties?: Record<string, Nested>; items?: Nested };
export type Property = {
  type?: string | string[];
  items?: { type?: string };
  enum?: unknown[];
  default?: unknown;
  anyOf?: Property[];
};

/** JSON Schema 2020-12 without `$schema`: it is the protocol's default, and older clients stumble over the key. */
export const jsonSchema = (object: z.ZodObject): Schema => {
  const { $schema: _, ...schema } = z.toJSONSchema(object, {
    io: "input",
    unrepresentable: "any",
    override: ({ jsonSchema }) => {
      // The bounds zod gives every integer tell a reader nothing.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    },
  });
  return plainer(schema) as Schema;
};

const saysNothing = ([key, value]: [string, unknown]): boolean =>
  (key === "propertyNames" && JSON.stringify(value) === '{"type":"string"}') ||
  (key === "additionalProperties" && JSON.stringify(value) === "{}");

/** The schema without what is true of every JSON object: that keys are text, and that values may be anything. */
const plainer = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(plainer);
  return Object.fromEntries(
    Object.entries(value)
      .filter((entry) => !saysNothing(entry))
      .map(([key, inner]) => [key, plainer(inner)]),
  );
};

// An argument that a writing tool does not know may have been meant to hold it back (a misspelled dry_run), so it is
// refused there; a reading tool passes it over, as some hosts send extra ones.
export const strictInput = (tool: Tool, input: z.ZodObject): z.ZodObject =>
  tool.annotations.readOnlyHint ? input : input.strict();

const typeName = (property: Property): string => {
  if (property.enum) return property.enum.map((value) => JSON.stringify(value)).join(" or ");
  if (property.anyOf) return property.anyOf.map(typeName).join(" or ");
  return [property.type ?? "any value"].flat().join(" or ");
};

/** `name (string), dry_run (boolean, default false)`: the parameters in one line. */
export const parameterLine = (schema: Schema): string => {
  const properties = Object.entries(schema.properties ?? {});
  if (properties.length === 0) return "none";
  return properties
    .map(([name, property]) => {
      if (schema.required?.includes(name)) return `${name} (${typeName(property)})`;
      const rest =
        property.default === undefined ? "optional" : `default ${JSON.stringify(property.default)}`;
      return `${name} (${typeName(property)}, ${rest})`;
    })
    .join(", ");
};

const kindOf = (value: unknown): string =>
  value === null
    ? "null"
    : Array.isArray(value)
      ? "an array"
      : typeof value === "object"
        ? "an object"
        : `a ${typeof value}`;

/** A tool, what its arguments are checked against, and the schema that is shown where they do not fit. */
export type Checked = { tool: Tool; input: z.ZodObject; schema: Schema; coerces?: boolean };

/** The arguments as the tool's schema reads them; else `input_refused`, naming the argument and what it should be. */
export const checkedArguments = (checked: Checked, sent: Record<string, unknown>): unknown => {
  const given = checked.coerces ? coerced(checked.schema, sent) : sent;
  const parsed = checked.input.safeParse(withoutIdleNulls(checked.input, given));
  if (parsed.success) return parsed.data;
  const { tool, schema } = checked;
  const issue = parsed.error.issues[0]!;
  const unknown = issue.code === "unrecognized_keys" ? issue.keys[0] : undefined;
  const argument = unknown ?? String(issue.path[0] ?? "");
  const property = schema.properties?.[argument];
  const missing = unknown === undefined && given[argument] === undefined;
  const problem = unknown !== undefined ? "unknown" : missing ? "missing" : "wrong";
  let what: string;
  if (problem === "unknown" && issue.path.length > 0) {
    const known = Object.keys(propertiesAt(schema, issue.path));
    const closest = closestWord(argument, known);
    what = `"${issue.path.join(".")}" of ${tool.name} cannot hold "${argument.slice(0, 100)}"${closest ? `; did you mean "${closest}"?` : ";"} It holds ${known.join(", ")}.`;
  } else if (problem === "unknown") {
    const closest = closestWord(argument, Object.keys(schema.properties ?? {}));
    what = `${tool.name} has no parameter "${argument.slice(0, 100)}"${closest ? `; did you mean "${closest}"?` : "."}`;
  } else if (problem === "missing") {
    what = `${tool.name} needs "${argument}"${property ? ` (${typeName(property)})` : ""}.`;
  } else if (issue.code === "invalid_type" && issue.path.length === 1 && property) {
    what = `"${argument}" of ${tool.name} must be ${typeName(property)}, not ${kindOf(given[argument])}.`;
  } else {
    what = `"${issue.path.join(".")}" of ${tool.name} is refused: ${issue.message}.`;
  }
  throw new NoteError("input_refused", `${what} Parameters: ${parameterLine(schema)}.`, {
    tool: tool.name,
    argument,
    problem,
  });
};

/** What an object inside the arguments may hold. */
const propertiesAt = (schema: Schema, path: readonly PropertyKey[]): Record<string, unknown> => {
  let inner = schema as Nested;
  for (const step of path)
    inner = (typeof step === "number" ? inner.items : inner.properties?.[String(step)]) ?? {};
  return inner.properties ?? {};
};

/** Some hosts send null for what was not given; where a parameter may be absent and takes no null, that is what it means. */
const withoutIdleNulls = (input: z.ZodObject, given: Record<string, unknown>): Record<string, unknown> => {
  if (!Object.values(given).includes(null)) return given;
  const idle = ([name, value]: [string, unknown]) => {
    const shape = Object.hasOwn(input.shape, name) ? (input.shape[name] as z.ZodType) : undefined;
    return value === null && shape?.safeParse(undefined).success && !shape.safeParse(null).success;
  };
  return Object.fromEntries(Object.entries(given).filter((entry) => !idle(entry)));
};
