/** Planted defects: text of a source file is replaced while it is loaded. */

export interface Edit {
  /** In `gateway/src/`. */
  readonly file: string;
  /** Occurs once in the file. */
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
