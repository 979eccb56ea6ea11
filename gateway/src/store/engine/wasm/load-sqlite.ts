/** SQLite in WebAssembly, loaded once for all stores of a page. */
import initialize, { type Sqlite3Static } from '@sqlite.org/sqlite-wasm';
import { readSqliteBinary } from '../../../platform/sqlite-binary.ts';

/** Its types leave out what its module takes. */
type Initialize = (module: { wasmBinary?: ArrayBuffer | Uint8Array | undefined }) => Promise<Sqlite3Static>;

let loading: Promise<Sqlite3Static> | undefined;

/** Loads it, from the given code at the first time. A failure isn't remembered. */
export function loadSqlite(binary?: ArrayBuffer | Uint8Array): Promise<Sqlite3Static> {
  loading ??= load(binary).catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

/** File systems of a browser, which its initialization looks for and would report as missing elsewhere. */
const UNUSED = { kvvfs: true, opfs: true, 'opfs-sahpool': true, 'opfs-vfs': true, 'opfs-wl': true };

async function load(binary?: ArrayBuffer | Uint8Array): Promise<Sqlite3Static> {
  const wasmBinary = binary ?? (await readSqliteBinary());
  // It takes its settings from there, and removes them.
  Object.assign(globalThis, { sqlite3ApiConfig: { disable: { vfs: UNUSED } } });
  return (initialize as Initialize)(wasmBinary ? { wasmBinary } : {});
}
