/** A screen that is loaded when somebody opens it. */

import { useSignal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { useApp } from "../app.ts";

type Props<P> = { load: () => Promise<ComponentType<P>>; props: P };

export function Late<P extends object>({ load, props }: Props<P>) {
  const screen = useSignal<{ Screen: ComponentType<P> } | null>(null);
  const failed = useSignal(false);
  const app = useApp();
  useEffect(() => {
    const look = (): void =>
      void load()
        .then((Screen) => (screen.value = { Screen }))
        .catch(() => undefined)
        .then(() => (failed.value = screen.value === null));
    look();
    return app.onEvent(({ kind }) => kind === "open" && failed.value && look());
  }, []);
  if (failed.value)
    return (
      <p class="refusal" role="alert">
        A part of this page could not be loaded. Is the server still there? Once it is back, this page tries
        again.
      </p>
    );
  if (!screen.value) return <p class="count">Loading…</p>;
  const { Screen } = screen.value;
  return <Screen {...props} />;
}
