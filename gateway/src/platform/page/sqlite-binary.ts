/** The code of SQLite in WebAssembly, next to the script. */
const BINARY = new URL('./sqlite3.wasm', import.meta.url);

/**
 * Reads the binary on platforms whose `fetch` can't read files. Elsewhere, SQLite's module compiles it while streaming.
 */
export async function readSqliteBinary(): Promise<ArrayBuffer | Uint8Array | undefined> {
  const { process } = globalThis as { process?: { getBuiltinModule?: (name: string) => typeof import('node:fs') } };
  const fs = BINARY.protocol === 'file:' ? process?.getBuiltinModule?.('node:fs') : undefined;
  return fs?.readFileSync(BINARY);
}
