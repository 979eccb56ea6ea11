/** Source edits that introduce a defect while a file is loaded. */

export interface Edit {
  /** In `gateway/src/`. */
  readonly file: string;
  /** Occurs exactly once in the file. */
  readonly find: string;
  readonly replace: string;
}

export interface Planted {
  readonly id: string;
  readonly summary: string;
  readonly edits: readonly Edit[];
}

/** A defect made by one edit. */
export const one = (id: string, summary: string, file: string, find: string, replace: string): Planted => ({
  id,
  summary,
  edits: [{ file, find, replace }],
});
