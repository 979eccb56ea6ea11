/** `npm run torture` with few rounds. It mostly waits for leases to end, so its parts run concurrently. */
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../tools/temporary.ts';
import { fillDisk } from './disk.ts';
import { failOver } from './failover.ts';
import { killGateways, killGatewaysOnPostgres } from './kill.ts';
import { stopDatabase } from './stop.ts';

/** Long enough for a busy machine. */
const TIME = 180_000;
const prepare = async () => ({ seed: 4, folder: await temporaryFolder('torture-test'), say: () => undefined });

describe.concurrent('a gateway', { timeout: TIME }, () => {
  it.each([
    ['when killed', killGateways, 4],
    ['when killed while another one shares its PostgreSQL', killGatewaysOnPostgres, 3],
    ['when PostgreSQL fails over to its synchronous standby', failOver, 3],
  ] as const)('loses no acknowledged write %s', async (_when, run, rounds) => {
    const { counts, findings } = await run(await prepare(), rounds);
    expect(findings).toEqual([]);
    expect(counts['transactions acknowledged']).toBeGreaterThan(20);
  });

  it('loses acknowledged writes when PostgreSQL fails over to an asynchronous standby', async () => {
    const { findings } = await failOver(await prepare(), 1, false);
    expect(findings).toContain('a primary that came back acknowledged a write');
    expect(findings.filter((finding) => / returned 404: |, and its repetition /.test(finding))).not.toEqual([]);
  });

  it('refuses requests while PostgreSQL is stopped or crashed, and continues without a loss', async () => {
    const { counts, findings } = await stopDatabase(await prepare(), 2, 300);
    expect(findings).toEqual([]);
    expect(counts['requests refused with 503']).toBeGreaterThan(20);
  });

  it('refuses writes when its disk is full, continues to read, and recovers', async () => {
    const { counts, findings } = await fillDisk(await prepare(), 1, 200);
    expect(findings).toEqual([]);
    // Skipped without Linux's tools.
    if (!counts['skipped']) expect(counts['requests refused with 503']).toBeGreaterThan(0);
  });
});
