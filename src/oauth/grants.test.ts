import { expect, test } from "vitest";
import type { Identity } from "../identity/identity.ts";
import { openSql } from "../sqlite/node.ts";
import { openGrants } from "./grants.ts";
import { openStore } from "./store.ts";

const open = async () => {
  let time = Date.parse("2026-01-01T00:00:00Z");
  let known: Identity[] = [];
  const store = openStore(await openSql(":memory:"), () => time);
  const identities = {
    list: () => known,
    async change(edit: (before: readonly Identity[]) => Identity[]) {
      known = edit(known);
    },
  };
  const grants = openGrants(store, identities, () => time);
  const identity = (name: string, consent?: string): Identity => ({
    name,
    vault: "/notes",
    secret: null,
    rights: "read",
    folders: "all",
    surfaces: "all",
    made: new Date(time).toISOString(),
    ...(consent === undefined ? {} : { consent }),
  });
  const grant = (consent: string, client: string) =>
    store.put(`grant:owner:${consent}`, JSON.stringify({ clientId: client, metadata: { consent } }), {
      expirationTtl: 1000,
    });
  return {
    store,
    grants,
    identity,
    grant,
    names: () => known.map(({ name }) => name),
    pass: (ms: number) => (time += ms),
  };
};

test("a grant that has expired takes its identity with it; tokens, and what was made just now, stay", async () => {
  const { grants, identity, grant, names, pass } = await open();
  await grants.add(identity("token"), "");
  await grants.add(identity("app", "c1"), "app");
  await grant("c1", "app");
  pass(900_000);
  await grants.sweep();
  expect(names()).toEqual(["token", "app"]);
  pass(200_000);
  await grants.add(identity("new", "c2"), "other");
  await grants.sweep();
  expect(names()).toEqual(["token", "new"]);
});

test("one of the same name is replaced where it is the same client's, and refused where it is not", async () => {
  const { grants, identity, grant, names } = await open();
  await grants.add(identity("app", "c1"), "app");
  await grant("c1", "app");
  expect(await grants.add(identity("app", "c2"), "other")).toBe(false);
  expect(grants.identityOf("c1")).not.toBeNull();
  expect(grants.identitiesOf("app", "/notes").map(({ consent }) => consent)).toEqual(["c1"]);
  // For other notes it is another identity, and has a name of its own.
  expect(await grants.add({ ...identity("app", "c4"), vault: "/elsewhere" }, "app")).toBe(false);
  expect(grants.identitiesOf("app", "/elsewhere")).toEqual([]);
  expect(await grants.add(identity("app", "c3"), "app")).toBe(true);
  expect(grants.identityOf("c1")).toBeNull();
  expect(grants.identityOf("c3")).not.toBeNull();
  expect(names()).toEqual(["app"]);
  expect(grants.freeName("app", "/notes")).toBe("app 2");
});

test("a grant that is removed takes its identity with it at once", async () => {
  const { store, grants, identity, grant, names } = await open();
  await grants.add(identity("app", "c1"), "app");
  await grant("c1", "app");
  await store.delete("grant:owner:c1");
  await expect.poll(names).toEqual([]);
});
