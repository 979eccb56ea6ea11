import { expect, it } from 'vitest';
import { appendToLogs, logEntries, parseLog } from '../../../gateway/src/webhooks/attempts.ts';
import { eventById } from '../../../gateway/src/webhooks/merchant-events.ts';
import { START } from '../harness/fixtures.ts';
import { describeOnEachDriver } from '../harness/stores.ts';
import { addEvents, addSigningMerchant, readEvents } from '../webhooks/deliveries.ts';

const attempt = (status: number) => ({ at: START, durationMs: 5, status });

describeOnEachDriver('the log of attempts', (open) => {
  async function loggedEvents() {
    const store = await open();
    const { merchant } = await addSigningMerchant(store);
    await addEvents(store, merchant, ['http://a.test/', 'http://b.test/']);
    const ids = (await readEvents(store)).map(({ id }) => String(id));
    const append = (...made: [index: number, status: number][]) =>
      store.unit((db) =>
        appendToLogs(
          db,
          made.map(([index, status]) => ({
            eventId: ids[index] ?? 'evt_gone',
            entries: logEntries([attempt(status)]) ?? '',
          })),
        ),
      );
    const logOf = async (index: number) => (await eventById(store.read, undefined, ids[index] ?? ''))?.log ?? [];
    return { append, logOf };
  }

  it('takes several attempts of an event in order, and none of a deleted event', async () => {
    const { append, logOf } = await loggedEvents();
    await append([0, 500], [1, 502], [0, 501], [2, 200]);
    await append([0, 204]);
    expect(await logOf(0)).toEqual([attempt(500), attempt(501), attempt(204)]);
    expect(await logOf(1)).toEqual([attempt(502)]);
  });

  it('is limited to a hundred attempts with long errors', async () => {
    const { append, logOf } = await loggedEvents();
    const long = { at: START, durationMs: 15_000, error: 'x'.repeat(1_000) };
    expect(logEntries([long])?.length).toBeLessThan(130);
    for (let count = 0; count < 100; count++)
      await append(...Array.from({ length: 9 }, (): [number, number] => [0, 500]));
    const { length } = await logOf(0);
    expect(length).toBeGreaterThan(100);
    expect(length).toBeLessThan(900);
  });
});

it('a log has the status or the error of each attempt', () => {
  const attempts = [attempt(204), { at: START, durationMs: 15_000, error: 'no response: ECONNRESET' }];
  expect(parseLog(logEntries(attempts))).toEqual(attempts);
  expect(parseLog()).toEqual([]);
  expect(logEntries([])).toBeUndefined();
});
