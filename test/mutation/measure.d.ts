/** What instrumented code calls. */
declare const $measure: {
  /** The test file that is being loaded. */
  file: string;
  mutant(id: number): boolean;
  branch(id: number): void;
  forget(): void;
  reached(): number[];
  taken(): number[];
};
