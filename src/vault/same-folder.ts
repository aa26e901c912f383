/** Whether the vault is still the same folder: it is looked at once a second, because no event says when another comes in its place. */

const PAUSE = 1000;

export type SameFolder = { close(): void };

/** `present` says which folder it is, and throws where there is none. `another` is done whenever there is another one, also after there was none. */
export const watchFolderItself = (present: () => string, another: () => Promise<void>): SameFolder => {
  const which = (): string | null => {
    try {
      return present();
    } catch {
      return null;
    }
  };
  let known = which();
  let closed = false;
  let timer: NodeJS.Timeout;
  const look = async (): Promise<void> => {
    const now = which();
    if (now !== null && now !== known) {
      // What fails is tried again: the folder may be gone once more.
      await another().then(
        () => (known = now),
        () => undefined,
      );
    }
    next();
  };
  const next = (): void => {
    if (closed) return;
    timer = setTimeout(() => void look(), PAUSE);
    timer.unref();
  };
  next();
  return {
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
};
