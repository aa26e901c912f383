/** What instrumented code calls. */
declare const $measure: {
  mutant(id: number): boolean;
  branch(id: number): void;
  forget(): void;
  reached(): number[];
  taken(): number[];
};
