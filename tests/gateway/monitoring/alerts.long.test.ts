/**
 * A real Prometheus with the alerts of docs/operations: each cause raises its alert within two minutes, and normal
 * load raises none.
 */
import { performance } from 'node:perf_hooks';
import { describe, expect, it } from 'vitest';
import { openSqlite } from '../../../gateway/src/database/sqlite/sqlite-store.ts';
import { createSigningSecret } from '../../../gateway/src/merchants/signing-secrets.ts';
import { NO_KEYS } from '../../../gateway/src/platform/key-ring.ts';
import { afterwards, sqliteDatabase } from '../harness.ts';
import { addKey, startProcess } from '../processes/gateways.ts';
import { startLoad } from '../upgrade/rolling.ts';
import { startReceiver } from '../webhooks/receiver.ts';
import { CAUSES, startSubject } from './causes.ts';
import { startPrometheus } from './prometheus.ts';
import { PROMETHEUS } from './promtool.ts';

const WITHIN_MS = 120_000;
/** Minutes of normal load. Set it to 60 before a release. */
const SOUND_MINUTES = Number(process.env['SOUND_MINUTES'] ?? 3);
const WITHOUT = PROMETHEUS ? '' : ' (skipped, since prometheus is not installed: apt-get install prometheus)';

describe.skipIf(PROMETHEUS === undefined)(`a real Prometheus${WITHOUT}`, () => {
  it.each(Object.entries(CAUSES))(
    'raises an alert within two minutes of %s',
    { timeout: 240_000 },
    async (_cause, make) => {
      const { alerts, prepare, isOneOfTwo, begin } = make();
      const options = prepare ? await prepare() : {};
      if (!options) return expect.fail('this machine cannot have the cause: run the test as a user who may mount');
      const subject = await startSubject(options);
      const others = isOneOfTwo ? [(await startSubject({})).url] : [];
      const prometheus = await startPrometheus(subject.url, ...others);
      await prometheus.scraped();
      expect(await prometheus.firing()).toEqual([]);
      await begin(subject);
      const seconds = await Promise.all(alerts.map((alert) => prometheus.raised(alert, WITHIN_MS)));
      for (const taken of seconds) expect(taken).toBeLessThan(WITHIN_MS / 1_000);
      console.log(alerts.map((alert, index) => `${alert} after ${seconds[index]?.toFixed(0)} s`).join(', '));
    },
  );

  it(`raises none in ${SOUND_MINUTES} minutes of sound load`, { timeout: (SOUND_MINUTES + 3) * 60_000 }, async () => {
    const { address } = await sqliteDatabase();
    const gateway = await startProcess({
      ...{ DATABASE_FILE: address, SANDBOX: 'false', REQUESTS_PER_SECOND: '100000' },
      CALLBACK_ALLOW: '127.0.0.1',
    });
    const store = openSqlite(address);
    afterwards(() => store.close());
    const key = await addKey(store);
    await store.unit(async (db) => {
      for (const { id } of await db.all('select id from merchants'))
        await createSigningSecret(db, Number(id), Date.now(), NO_KEYS);
    });
    const load = startLoad(key, 1, { callback_url: `${(await startReceiver()).address}/webhooks` });
    await load.add(gateway);
    const prometheus = await startPrometheus(gateway.url);
    const until = performance.now() + SOUND_MINUTES * 60_000;
    const raised = new Set<string>();
    while (performance.now() < until) {
      await load.more(20);
      for (const alert of await prometheus.firing().catch(() => [])) raised.add(alert);
    }
    await load.end();
    expect([...raised]).toEqual([]);
    expect(load.failures).toEqual([]);
    expect(load.acknowledged.length).toBeGreaterThan(100);
  });
});
