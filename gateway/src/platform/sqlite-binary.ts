/** The code of SQLite in WebAssembly. */

/** Resolves to undefined, because the package finds its binary on Node. */
export async function readSqliteBinary(): Promise<ArrayBuffer | Uint8Array | undefined> {
  return undefined;
}
