import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { run } from '../../scripts/tools/process.ts';
import { GATEWAY } from '../tools/server.ts';
import { limitedDisk } from '../tools/small-disk.ts';

it('a gateway that starts on a full disk reports it and the next step', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'full-disk-test-'));
  const disk = await limitedDisk(folder, ['mount']);
  try {
    // Other systems can't fill the disk before the gateway runs.
    if (!disk) return context.skip('this user may not mount');
    const env = { DATABASE_URL: '', DATABASE_FILE: join(folder, 'gateway.db') };
    const gateway = (...args: string[]) => run(process.execPath, [GATEWAY, ...args], { env, allowFailure: true });
    expect((await gateway('migrate')).code).toBe(0);
    await disk.fill(process.pid);
    const { code, stderr } = await gateway('start', '--port', '0');
    expect(code).toBe(1);
    expect(stderr).toContain(env.DATABASE_FILE);
    expect(stderr).toContain('that the disk has room');
    expect(stderr).not.toMatch(/^\s+at /m);
  } finally {
    await disk?.remove();
    await rm(folder, { recursive: true, force: true });
  }
});
