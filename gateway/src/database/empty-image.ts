/** A database with the current tables, and only their initial rows. Copying it is much faster than the migrations. */
import { migrate } from './migrate.ts';
import type { Sqlite3Static } from './wasm/load-sqlite.ts';
import { openWasm } from './wasm/wasm-store.ts';

let image: Promise<Uint8Array> | undefined;

/** Returns the image, which migrations create on first use. The build of the published script replaces this module. */
export function emptyImage(sqlite3: Sqlite3Static): Promise<Uint8Array> {
  image ??= makeImage(sqlite3);
  return image;
}

async function makeImage(sqlite3: Sqlite3Static): Promise<Uint8Array> {
  const store = openWasm(sqlite3);
  try {
    await migrate(store);
    return await store.image();
  } finally {
    await store.close();
  }
}
