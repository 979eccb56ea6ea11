/** A copy of a running PostgreSQL server, made as `pg_basebackup` does it, which the npm package lacks. */
import { chown, copyFile, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';

/** Folders whose content belongs to the running server. The log before the backup is streamed to the copy instead. */
const EMPTY = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_subtrans',
]);
const LEFT_OUT = new Set(['postmaster.pid', 'postmaster.opts', 'pg_internal.init']);

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** Copies the data of a running server to an empty folder. A server started there is a standby. */
export async function copyAsStandby(url: string, folder: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const { rows } = await client.query<{ data_directory: string }>('show data_directory');
    const source = rows[0]?.data_directory ?? '';
    const owner = await stat(source);
    await client.query("select pg_backup_start('standby', fast => true)");
    await copyFolder(source, folder, owner);
    const stopped = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    const files = { backup_label: stopped.rows[0]?.labelfile ?? '', 'standby.signal': '' };
    for (const [name, content] of Object.entries(files)) {
      await writeFile(join(folder, name), content);
      await chown(join(folder, name), owner.uid, owner.gid);
    }
  } finally {
    await client.end();
  }
}

async function copyFolder(from: string, to: string, owner: Owner): Promise<void> {
  await chown(to, owner.uid, owner.gid);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (LEFT_OUT.has(entry.name)) continue;
    if (!entry.isDirectory()) await copyIfThere(source, target, owner);
    else {
      await mkdir(target, { mode: 0o700 });
      if (EMPTY.has(entry.name)) await chown(target, owner.uid, owner.gid);
      else await copyFolder(source, target, owner);
    }
  }
}

/** A file dropped during the copy is dropped in the copy too, once the log is replayed. */
async function copyIfThere(source: string, target: string, { uid, gid }: Owner): Promise<void> {
  try {
    await copyFile(source, target);
    await chown(target, uid, gid);
  } catch (error) {
    if ((error as { code?: string }).code !== 'ENOENT') throw error;
  }
}
