/** `npm run torture` with few rounds. It mostly waits for leases to end, so its parts run concurrently. */
import { describe, expect, it } from 'vitest';
import { startPostgres } from '../tools/postgres.ts';
import { torturedByFullDisks } from './disk.ts';
import { torturedByFailovers } from './failover.ts';
import { torturedByKills } from './kill.ts';
import type { Torture } from './part.ts';
import { torturedByOutages } from './postgres.ts';
import { torturedByRequests } from './requests.ts';
import { tortureShortly } from './short.ts';

/** Long enough for a busy machine. */
const TIME = 180_000;

describe.concurrent('a gateway', { timeout: TIME }, () => {
  it('loses no acknowledged write when killed under load or during deliveries', async () => {
    const { counts, findings } = await tortureShortly((torture) => torturedByKills(torture, { rounds: 4 }));
    expect(findings).toEqual([]);
    expect(counts).toMatchObject({ kills: 4, 'of them during delivery': 1 });
    expect(counts['transactions acknowledged']).toBeGreaterThan(20);
  });

  it('continues the work of a killed gateway that shares its PostgreSQL', async () => {
    const postgres = await startPostgres();
    const options = { rounds: 3, processes: 2, databaseUrl: postgres.url };
    const tortured = tortureShortly((torture) => torturedByKills(torture, options));
    const { counts, findings } = await tortured.finally(() => postgres.close());
    expect(findings).toEqual([]);
    expect(counts).toMatchObject({ kills: 3, 'of them during delivery': 1 });
    expect(counts['transactions acknowledged']).toBeGreaterThan(20);
  });

  it('refuses requests while PostgreSQL is stopped or crashed, and continues without a loss', async () => {
    const { counts, findings } = await tortureShortly((torture) =>
      torturedByOutages(torture, { rounds: 2, outageMs: 300 }),
    );
    expect(findings).toEqual([]);
    expect(counts['requests refused with 503']).toBeGreaterThan(20);
  });

  it('loses no acknowledged write when PostgreSQL fails over to its synchronous standby', async () => {
    const { counts, findings } = await tortureShortly((torture) => torturedByFailovers(torture, { rounds: 2 }));
    expect(findings).toEqual([]);
    expect(counts).toMatchObject({ failovers: 2 });
    expect(counts['transactions acknowledged']).toBeGreaterThan(20);
  });

  it('with an asynchronous standby loses acknowledged writes in a failover, which the torture reports', async () => {
    const asynchronously = (torture: Torture) => torturedByFailovers(torture, { rounds: 1, synchronous: false });
    const { findings } = await tortureShortly(asynchronously);
    expect(findings).toContain('a primary that came back acknowledged a write');
    expect(findings.filter((finding) => / returned 404: |, and the status endpoint then /.test(finding))).not.toEqual(
      [],
    );
  });

  it.each([
    ['has no room left', ['mount', 'prlimit']],
    ['lets no file grow', ['prlimit']],
  ] as const)('refuses writes when its disk %s, continues to read, and recovers', async (_name, ways) => {
    const result = await tortureShortly((torture) => torturedByFullDisks(torture, { rounds: 1, fullMs: 200, ways }));
    expect(result.findings).toEqual([]);
    // Skipped without Linux's tools, as the result shows.
    if (!result.skipped) expect(result.counts['requests refused with 503']).toBeGreaterThan(0);
  });

  it("rejects bad requests of every kind with the contract's problems, without storing data", async () => {
    const { counts, findings } = await tortureShortly((torture) => torturedByRequests(torture, { requests: 2_000 }));
    expect(findings).toEqual([]);
    expect(counts).toMatchObject({ 'bad requests': 2_000, 'refused well': 2_000 });
  });
});
