/** How long a soak is, and the line of figures it ends with. */

/** `whole` is what the guarantees ask for; `NOTEWRIGHT_SOAK_SCALE` makes it less, for a machine that has other things to do. */
export function scaled(whole: number): number {
  return Math.max(1, Math.round(whole * Number(process.env["NOTEWRIGHT_SOAK_SCALE"] ?? 1)));
}

export const SEED = Number(process.env["NOTEWRIGHT_SEED"] ?? 20261115);

export function tell(what: string, figures: object): void {
  const said = Object.entries(figures).map(([name, value]) => {
    if (Array.isArray(value)) return `${name} ${value.length}`;
    return `${name} ${typeof value === "number" && !Number.isInteger(value) ? value.toFixed(1) : String(value)}`;
  });
  console.log(`\n${what}: ${said.join(", ")}`);
}
