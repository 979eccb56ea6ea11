/** The code of SQLite in WebAssembly. */

/** Resolves with nothing: on Node, its package finds it. */
export async function readSqliteBinary(): Promise<ArrayBuffer | Uint8Array | undefined> {
  return undefined;
}
