/** The last line of a gateway's log confirms its stop. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { afterwards, sqliteDatabase } from '../harness.ts';
import { toEnvironment } from './run-command.ts';

const MAIN = fileURLToPath(new URL('../../../gateway/src/cli.ts', import.meta.url));

it('a gateway logs that it is stopping, and at last that it has stopped', async () => {
  const database = toEnvironment(await sqliteDatabase());
  const gateway = spawn(process.execPath, [MAIN, 'start', '--port', '0'], {
    env: { PATH: process.env['PATH'], ...database },
  });
  afterwards(async () => void gateway.kill('SIGKILL'));
  const log = text(gateway.stderr);
  await once(gateway.stdout, 'data');
  gateway.kill('SIGTERM');
  const [code] = await once(gateway, 'exit');
  const lines = (await log)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(code).toBe(0);
  expect(lines.slice(-2)).toMatchObject([
    { msg: 'stopping', signal: 'SIGTERM' },
    { msg: 'stopped', signal: 'SIGTERM' },
  ]);
});
