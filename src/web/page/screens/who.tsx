/** Who may call: identities and apps, their rights and folders, when they last did, and an end to each. */

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Who as Identity } from "../../wire.ts";
import { useApp } from "../app.ts";
import { RefusalLine } from "../parts/refusal-line.tsx";
import { useCall } from "../use-call.ts";
import { dayOf, momentOf, seen } from "../words.ts";
import { useTitle } from "./screen.tsx";

export const Who = () => {
  const { value, refusal, again } = useCall<{ who: Identity[] }>("who", {});
  useTitle("Who has access");
  return (
    <article>
      <header class="page-head">
        <h1>Who has access</h1>
        <p class="meta">
          These apps reach your notes over HTTP. Apps that start Notewright themselves need no token, and are
          not listed here.
        </p>
      </header>
      {refusal && <RefusalLine refusal={refusal} again={again} />}
      {value && value.who.length === 0 && (
        <p>
          No app has access yet. <code>notewright token add NAME --rights write</code> lets one in.
        </p>
      )}
      <ul class="who">
        {value?.who.map((identity) => (
          <li key={identity.name}>
            <Card identity={identity} removed={again} />
          </li>
        ))}
      </ul>
    </article>
  );
};

const MAY: Record<string, string> = {
  read: "May read",
  propose: "May read, and propose changes for you to accept",
  write: "May read and write",
  admin: "May do everything, also change rules",
};

/** Nothing where it is not known. */
const lastCalled = (lastUse: Identity["lastUse"]): string => {
  if (lastUse === null) return "";
  return lastUse === "never" ? "Not used yet" : `Last used ${momentOf(new Date(lastUse))}`;
};

const Card = ({ identity, removed }: { identity: Identity; removed(): void }) => {
  const app = useApp();
  const asked = useSignal<boolean | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const { name, rights, folders, surfaces, lastUse, made, signsIn } = identity;
  // The keyboard goes on at what stands there instead.
  useEffect(() => {
    if (asked.value !== null) button.current?.focus();
  }, [asked.value]);
  const remove = async (): Promise<void> => {
    try {
      await app.server.call("remove-identity", { name });
      app.notice.value = { words: `${name} has no access any more.` };
      // Its card goes, and the keyboard with it.
      document.getElementById("main")?.focus();
      removed();
    } catch (error) {
      app.failed(error);
    }
  };
  return (
    <section aria-label={seen(name)}>
      <h2>{seen(name)}</h2>
      <p>
        {MAY[rights] ?? seen(rights)}
        {folders === null ? "" : `, only in ${seen(folders.join(", "))}`}
        {surfaces === null ? "" : `, with the tools of ${seen(surfaces.join(", "))}`}
        {signsIn ? "; signed in with your consent" : ""}
      </p>
      <p class="meta">
        {[lastCalled(lastUse), made === null ? "" : `Added ${dayOf(new Date(made))}`]
          .filter(Boolean)
          .join(" · ")}
      </p>
      {app.hello.value!.mayWrite &&
        (asked.value ? (
          <p class="acts">
            End its access?{" "}
            <button ref={button} type="button" onClick={() => void remove()}>
              Yes, remove {seen(name)}
            </button>
            <button type="button" class="plain" onClick={() => (asked.value = false)}>
              No
            </button>
          </p>
        ) : (
          <button
            ref={button}
            type="button"
            aria-label={`Remove ${seen(name)}`}
            onClick={() => (asked.value = true)}
          >
            Remove…
          </button>
        ))}
    </section>
  );
};
