/** A database with the tables of this code, for the published script: its build replaces this module by one that has it. */
export function packedImage(): Uint8Array | undefined {
  return undefined;
}
