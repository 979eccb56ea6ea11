import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { migrate } from '../../../gateway/src/database/migrate.ts';
import { ROOT } from '../../../scripts/tools/process.ts';
import { addMerchant, fund } from '../harness/fixtures.ts';
import { sqliteDatabase } from '../harness.ts';

it('help exits with 0 when its output is closed early, as in `--help | head -1`', async () => {
  const args = [join(ROOT, 'gateway/src/cli.ts'), 'start', '--help'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  const complaints: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => complaints.push(String(chunk)));
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(complaints.join('')).toBe('');
});

it('export fails when its output is closed early, since the rest is missing', async () => {
  const database = await sqliteDatabase();
  const store = database.connect();
  await migrate(store);
  await addMerchant(store).then((merchant) => fund(store, merchant, 1));
  await store.close();
  const args = [join(ROOT, 'gateway/src/cli.ts'), 'export', 'ledger', '--database-file', database.address];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  const complaints: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => complaints.push(String(chunk)));
  expect(await once(child, 'close')).toEqual([1, null]);
  expect(complaints.join('')).toMatch(/^database: .*\nCan't write all of the output: .*\n$/);
});
