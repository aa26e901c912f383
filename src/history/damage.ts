/** Damage: an object that must be there is not, or is not what it should be. Whoever holds the vault's lock can repair that. */

import { codeOf } from "../notebook/system-errors.ts";

export const damage = (what: string): Error => Object.assign(new Error(what), { damaged: true });
// A link where a folder should be is refused on the way.
export const canRepair = (error: unknown): boolean => isDamage(error) || codeOf(error) === "ELOOP";
export const isDamage = (error: unknown): boolean => (error as { damaged?: boolean })?.damaged === true;

export function nullIfDamaged(error: unknown): null {
  if (!isDamage(error)) throw error;
  return null;
}
