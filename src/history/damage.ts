/** Damage: an object that must be there is not, or is not what it should be. Whoever holds the vault's lock can repair that. */

export const damage = (what: string): Error => Object.assign(new Error(what), { damaged: true });
export const isDamage = (error: unknown): boolean => (error as { damaged?: boolean })?.damaged === true;

export function nullIfDamaged(error: unknown): null {
  if (!isDamage(error)) throw error;
  return null;
}
