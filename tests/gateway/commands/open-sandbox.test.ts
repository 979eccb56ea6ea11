/** A sandbox may start without a key if only this machine can reach it. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { requireSafe } from '../../../gateway/src/commands/start.ts';
import { readConfig } from '../../../gateway/src/config/read-config.ts';
import { temporaryFolder } from '../harness.ts';
import { createRunner } from './run-command.ts';

const KEY = { SANDBOX_KEY: 'a-sandbox-key-of-enough-characters' };

it.each(['0.0.0.0', '::', '192.0.2.1', 'gateway.internal'])('a sandbox on %s is refused', async (HOST) => {
  const DATABASE_FILE = join(await temporaryFolder(), 'payments.db');
  const { code, stdout, stderr } = await createRunner({ HOST, DATABASE_FILE })('start');
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(`HOST is '${HOST}'`);
  expect(stderr).toContain('Set SANDBOX_KEY');
  expect(stderr).toContain('SANDBOX_OPEN=true');
  expect(stderr).toContain('SANDBOX=false');
});

it.each([
  KEY,
  { SANDBOX_OPEN: 'true' },
  { SANDBOX: 'false' },
  { HOST: '127.0.0.1' },
  { HOST: 'localhost' },
  { HOST: '::1' },
])('a sandbox may start with %o', (env) => {
  expect(() => requireSafe(readConfig({}, { HOST: '0.0.0.0', ...env }), false)).not.toThrow();
});
