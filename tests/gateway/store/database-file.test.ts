/** Paths that cannot be an SQLite database: opening fails immediately with the cause. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { openSqlite } from '../../../gateway/src/database/sqlite/sqlite-store.ts';
import { UnusableDatabase } from '../../../gateway/src/database/store.ts';
import { type ServerUser, serverUser } from '../../tools/server-user.ts';
import { afterwards, temporaryFolder } from '../harness.ts';

const MODULE = new URL('../../../gateway/src/database/sqlite/sqlite-store.ts', import.meta.url);

/** Opens the path in a separate process, so that a hang can be stopped. Returns its output. */
async function opened(path: string, user: ServerUser = {}): Promise<string> {
  // Another user could not start this Node or load the module in a folder that only root can open.
  const script = `import { openSqlite } from ${JSON.stringify(MODULE.href)};
    const { uid } = ${JSON.stringify(user)};
    if (uid !== undefined) process.setuid(uid);
    try { await openSqlite(process.argv[1]).close(); console.log('opened'); }
    catch (error) { console.log(error.constructor.name + ': ' + error.message); }`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 120_000,
    killSignal: 'SIGKILL',
  });
  const [printed] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return printed.trim();
}

it.each([
  ['a directory', 'folder', 'it is a directory; name a file in it'],
  ['a file above its folder', 'file/a/b.db', 'a part of the path is a file, where a directory is needed'],
  ['memory, which readers would not share,', ':memory:', 'readers have a connection of their own; name a file'],
  ['a file that is not a database', 'text', 'it is not an SQLite database; name another file'],
])('opening %s as a database fails with the fix', async (_what, path, message) => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'folder'));
  await writeFile(join(folder, 'file'), '');
  await writeFile(join(folder, 'text'), 'not a database, but more than a few bytes of text'.repeat(100));
  const open = () => openSqlite(path === ':memory:' ? path : join(folder, path));
  expect(open).toThrow(UnusableDatabase);
  expect(open).toThrow(message);
  expect(await readFile(join(folder, 'text'), 'utf8')).toContain('not a database');
});

it('a database path without permission is refused', async () => {
  const folder = await temporaryFolder();
  await chmod(folder, 0o500);
  expect(await opened(join(folder, 'gateway.db'), serverUser())).toMatch(/^UnusableDatabase: permission denied/);
});

it('a database is created with its parent folders, accessible to its user alone, and its log next to the actual file', async () => {
  const folder = await temporaryFolder();
  const [file, link] = [join(folder, 'new', 'folder', 'gateway.db'), join(folder, 'link.db')];
  await openSqlite(file).close();
  await symlink(file, link);
  const store = openSqlite(link);
  afterwards(() => store.close());
  await store.unit((db) => db.run('create table things (id bigint)'));
  for (const name of [file, `${file}-wal`]) expect((await stat(name)).mode & 0o777).toBe(0o600);
});
