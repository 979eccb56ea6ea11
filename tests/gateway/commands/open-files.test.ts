/** The limit on open files when a gateway starts. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { checkOpenFiles } from '../../../gateway/src/commands/start.ts';
import { DEFAULTS } from '../../../gateway/src/config/settings.ts';
import { sqliteDatabase } from '../harness.ts';

const MAIN = fileURLToPath(new URL('../../../gateway/src/cli.ts', import.meta.url));

it.each([48, 128])(
  'a start with a limit of %i open files is refused in one line',
  {
    skip: process.platform !== 'linux',
  },
  async (limit) => {
    const { address } = await sqliteDatabase();
    const command = `ulimit -n ${limit}; exec "$0" "$@"`;
    const child = spawn('sh', ['-c', command, process.execPath, MAIN, 'start', '--port', '0'], {
      env: { PATH: process.env['PATH'], DATABASE_FILE: address, LOG_LEVEL: 'fatal' },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 60_000,
      killSignal: 'SIGKILL',
    });
    const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(
      new RegExp(`^The limit on open files is ${limit}, but the gateway needs more than 192\\. .*\\n$`),
    );
  },
);

it('a limit too low for CONNECTIONS_MAX causes a warning that names both', () => {
  const config = { ...DEFAULTS, connectionsMax: 2_000 };
  expect(checkOpenFiles(config, 65_536)).toBeUndefined();
  expect(checkOpenFiles(config, 1_024)).toContain(
    'is 1024, which leaves room for 832 connections, but CONNECTIONS_MAX is 2000.',
  );
  const postgres = { ...config, databaseUrl: 'postgres://db/payments', databaseConnections: 32 };
  expect(checkOpenFiles(postgres, 1_024)).toContain('set CONNECTIONS_MAX to 800.');
});
