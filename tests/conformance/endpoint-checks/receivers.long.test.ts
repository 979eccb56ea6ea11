/** Whole runs against endpoints. They are concurrent, because they mostly wait. */
import { expect, it } from 'vitest';
import type { ReceiverResult } from '../../../conformance/src/endpoint-checks/checks.ts';
import { verifyReceiver } from '../../../conformance/src/endpoint-checks/verify.ts';
import { DEFECTS } from './defects.ts';
import { byHand, type Endpoint, listen, oftenBusy, type readBody, SECRET, withLibrary } from './servers.ts';

const TIMEOUT_MS = 2_000;

async function verify(endpoint: Endpoint, read?: typeof readBody): Promise<ReceiverResult[]> {
  const server = await listen(endpoint, read);
  try {
    return await verifyReceiver({ url: server.url, secret: SECRET, timeoutMs: TIMEOUT_MS });
  } finally {
    await server.close();
  }
}

it.concurrent.each([
  ['with a Standard Webhooks library', withLibrary],
  ['written by hand', byHand()],
  ['that is often busy, and says when to come again', oftenBusy(byHand())],
])('an endpoint passes %s', async (_name, endpoint) => {
  const results = await verify(endpoint);
  expect(results.filter(({ verdict }) => verdict !== 'conforming')).toEqual([]);
  expect(results.length).toBeGreaterThan(50);
});

it.concurrent.each(DEFECTS)('intended checks find an endpoint that $name', async ({ make, read, foundBy, isFatal }) => {
  const results = await verify(make(), read);
  const all = results.map(({ id }) => id);
  const isMeant = (id: string) => foundBy.some((one) => (one.endsWith('/') ? id.startsWith(one) : id === one));
  const others = results.filter(({ verdict }) => verdict !== 'conforming');
  expect(others.map(({ id }) => id)).toEqual(isFatal ? all.slice(all.findIndex(isMeant)) : all.filter(isMeant));
  expect(others.flatMap(({ findings }) => findings)).not.toEqual([]);
});

it.concurrent('waits for no more responses once an endpoint gave none', async () => {
  const results = await verify(() => undefined);
  expect(results.filter(({ verdict }) => verdict === 'not reached').length).toBeGreaterThan(50);
  expect(results[0]?.findings[0]?.found).toBe(`no response within ${TIMEOUT_MS} ms`);
});

it.concurrent('reaches no check of forgeries if an endpoint rejects everything', async () => {
  const rejections = (await verify(() => 401)).filter(({ id }) => id.startsWith('receiver/rejects/'));
  expect(new Set(rejections.map(({ verdict }) => verdict))).toEqual(new Set(['not reached']));
});
