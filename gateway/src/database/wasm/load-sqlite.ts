/** SQLite in WebAssembly, loaded once for all stores of a page. */
import initialize, { type Sqlite3Static } from '@sqlite.org/sqlite-wasm';
import { readSqliteBinary } from '../../platform/sqlite-binary.ts';

export type { Sqlite3Static };

/** Its types lack options that its module accepts. */
type Initialize = (module: { wasmBinary?: ArrayBuffer | Uint8Array | undefined }) => Promise<Sqlite3Static>;

let loading: Promise<Sqlite3Static> | undefined;

/** Loads it once, from the given code. A failure isn't cached. */
export function loadSqlite(binary?: ArrayBuffer | Uint8Array): Promise<Sqlite3Static> {
  loading ??= load(binary).catch((cause: unknown) => {
    loading = undefined;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`${reason}. Put sqlite3.wasm next to the script, or pass its content as \`wasm\`.`, { cause });
  });
  return loading;
}

/** File systems of a browser, which its initialization would report as missing elsewhere. */
const UNUSED = { kvvfs: true, opfs: true, 'opfs-sahpool': true, 'opfs-vfs': true, 'opfs-wl': true };

async function load(binary?: ArrayBuffer | Uint8Array): Promise<Sqlite3Static> {
  const wasmBinary = binary ?? (await readSqliteBinary());
  // It takes its settings from there, and removes them.
  Object.assign(globalThis, { sqlite3ApiConfig: { disable: { vfs: UNUSED } } });
  return (initialize as Initialize)(wasmBinary ? { wasmBinary } : {});
}
