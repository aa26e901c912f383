/** One thing that `doctor` looked at: what it is, and where it is not as it should be, what to do. */

export type Finding = {
  part: "program" | "vault" | "places" | "settings" | "clients";
  what: string;
  is: string;
  /** What a person can do. */
  next?: string;
  /** Whether it needs a person: without that, `next` is advice. */
  wrong?: true;
};

export const wrong = (part: Finding["part"], what: string, is: string, next: string): Finding => ({
  part,
  what,
  is,
  next,
  wrong: true,
});
