/** The PostgreSQL servers started by tests. */
import { stat } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { query, startPostgres } from '../../tools/postgres.ts';
import { until } from '../../tools/wait.ts';
import { afterwards } from './afterwards.ts';

it('a PostgreSQL server of a test ends with its process, and removes its data', async () => {
  const server = await startPostgres({ fsync: 'off' });
  afterwards(() => server.close());
  const { rows } = await query(server.url, 'show data_directory');
  const folder = String(rows[0]?.[0]);
  process.kill(server.pid, 'SIGTERM');
  const isRemoved = () =>
    stat(folder).then(
      () => false,
      () => true,
    );
  expect(await until(isRemoved, 60_000)).toBeDefined();
  await expect(query(server.url, 'select 1')).rejects.toThrow('ECONNREFUSED');
});
