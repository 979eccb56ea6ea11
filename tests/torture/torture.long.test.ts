/** Faults under load. They mostly wait for leases to end, so they run concurrently. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startPostgres } from '../tools/postgres.ts';
import { mountSmallDisk } from '../tools/small-disk.ts';
import { temporaryFolder } from '../tools/temporary.ts';
import type { Shop } from './shop.ts';
import { failOver, killGateway, outage, torture } from './torture.ts';

async function killOnPostgres(): Promise<Shop> {
  const { url, close } = await startPostgres();
  return torture({ database: { DATABASE_URL: url }, processes: 2, rounds: 3, fault: killGateway }).finally(close);
}

async function interruptPostgres(begin: 'kill' | 'freeze', end: 'start' | 'thaw'): Promise<Shop> {
  const { url, tell, close } = await startPostgres();
  const fault = outage(
    () => tell(begin),
    () => tell(end),
  );
  return torture({ database: { DATABASE_URL: url }, processes: 2, rounds: 2, fault }).finally(close);
}

describe.concurrent('a gateway', () => {
  it.each([
    ['when killed while another one shares its PostgreSQL', killOnPostgres],
    ['when PostgreSQL is killed and restarted', () => interruptPostgres('kill', 'start')],
    ['when PostgreSQL is frozen', () => interruptPostgres('freeze', 'thaw')],
    ['when PostgreSQL fails over to its synchronous standby', () => failOver(2)],
  ])('loses no acknowledged write %s', async (_when, run) => {
    const { findings, counts } = await run();
    expect(findings).toEqual([]);
    expect(counts.acknowledged).toBeGreaterThan(20);
    expect(counts.lost + counts.refused).toBeGreaterThan(0);
  });

  it('loses no acknowledged write when its disk is full', async ({ skip, onTestFinished }) => {
    const folder = await temporaryFolder('torture-test');
    const disk = await mountSmallDisk(folder);
    if (!disk) return skip('this user may not mount');
    onTestFinished(() => disk.remove());
    const database = { DATABASE_FILE: join(folder, 'gateway.db') };
    const { findings } = await torture({ database, processes: 1, rounds: 2, fault: outage(disk.fill, disk.free) });
    expect(findings).toEqual([]);
  });

  it('loses acknowledged writes when PostgreSQL fails over to an asynchronous standby', async () => {
    const { findings } = await failOver(1, false);
    expect(findings).toContain('a primary that came back acknowledged a write');
    expect(findings.filter((finding) => / returned 404: |, and its repetition /.test(finding))).not.toEqual([]);
  });
});
