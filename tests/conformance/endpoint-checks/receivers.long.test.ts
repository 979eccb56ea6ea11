import { beforeAll, expect, it } from 'vitest';
import type { ReceiverResult } from '../../../conformance/src/endpoint-checks/checks.ts';
import { verifyReceiver } from '../../../conformance/src/endpoint-checks/verify.ts';
import { DEFECTS } from './defects.ts';
import { byHand, type Endpoint, listen, oftenBusy, type readBody, SECRET, withClient, withLibrary } from './servers.ts';

const TIMEOUT_MS = 2_000;

const VALID: Readonly<Record<string, Endpoint>> = {
  "with the client's verification": withClient,
  'with a Standard Webhooks library': withLibrary,
  'written by hand': byHand(),
  'that is often busy, and says when to come again': oftenBusy(byHand()),
};

async function verify(endpoint: Endpoint, read?: typeof readBody): Promise<ReceiverResult[]> {
  const server = await listen(endpoint, read);
  try {
    return await verifyReceiver({ url: server.url, secret: SECRET, timeoutMs: TIMEOUT_MS });
  } finally {
    await server.close();
  }
}

/** Several at once, since they mostly wait. */
const AT_ONCE = 8;
const runs = new Map<string, ReceiverResult[]>();
beforeAll(async () => {
  const valid = Object.entries(VALID).map(([name, endpoint]) => ({ name, make: () => endpoint, read: undefined }));
  const waiting = [...valid, ...DEFECTS].values();
  const work = async () => {
    for (const { name, make, read } of waiting) runs.set(name, await verify(make(), read));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}, 120_000);

const listResults = (name: string) => runs.get(name) ?? [];

it.each(Object.keys(VALID))('an endpoint passes %s', (name) => {
  expect(listResults(name).filter(({ verdict }) => verdict !== 'conforming')).toEqual([]);
  expect(listResults(name).length).toBeGreaterThan(50);
});

it.each(DEFECTS)('the intended checks find an endpoint that $name', ({ name, foundBy, isFatal }) => {
  const all = listResults(name).map(({ id }) => id);
  const isMeant = (id: string) => foundBy.some((one) => (one.endsWith('/') ? id.startsWith(one) : id === one));
  const others = listResults(name).filter(({ verdict }) => verdict !== 'conforming');
  expect(others.map(({ id }) => id)).toEqual(isFatal ? all.slice(all.findIndex(isMeant)) : all.filter(isMeant));
  expect(others.flatMap(({ findings }) => findings)).not.toEqual([]);
});

it('waits for no more responses once an endpoint gave none', () => {
  const results = listResults('gives no response');
  expect(results.filter(({ verdict }) => verdict === 'not reached').length).toBeGreaterThan(50);
  expect(results[0]?.findings[0]?.found).toBe(`no response within ${TIMEOUT_MS} ms`);
});

it('reaches no check of forgeries if an endpoint rejects everything', () => {
  const rejections = listResults('rejects everything').filter(({ id }) => id.startsWith('receiver/rejects/'));
  expect(new Set(rejections.map(({ verdict }) => verdict))).toEqual(new Set(['not reached']));
});
