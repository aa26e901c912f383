/** Stands in the built page for what markdown-it brings along to guess at links (11 kB), which is never asked: see addresses.ts. */

export function LinkifyIt(): void {}
