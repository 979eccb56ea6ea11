/** The code of SQLite in WebAssembly, next to the script. */
const BINARY = new URL('./sqlite3.wasm', import.meta.url);

/** Reads it where `fetch` reads no files. Elsewhere, SQLite's module compiles it while it is on its way. */
export async function readSqliteBinary(): Promise<ArrayBuffer | Uint8Array | undefined> {
  const { process } = globalThis as { process?: { getBuiltinModule?: (name: string) => typeof import('node:fs') } };
  const fs = BINARY.protocol === 'file:' ? process?.getBuiltinModule?.('node:fs') : undefined;
  return fs?.readFileSync(BINARY);
}
