/** The page of a redirect is judged by its reachability, not by its content for the kit. */
import dns from 'node:dns';
import { createServer } from 'node:http';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { judgePage, pageCheck } from '../../conformance/src/checks/payment-page.ts';
import type { Context } from '../../conformance/src/core/check.ts';
import { toVerdict } from '../../conformance/src/core/finding.ts';
import { afterwards } from '../gateway/harness.ts';
import { freePort, listenOnLoopback } from '../tools/loopback.ts';
import { contract, createExchange } from './report/synthetic.ts';

/** Timeout of silent pages. All others have ample time on a busy machine. */
const BRIEF_MS = 50;
const AMPLE_MS = 30_000;

afterEach(() => {
  vi.restoreAllMocks();
});

function judge(redirect_url: string) {
  const context = { contract, settings: { timeoutMs: AMPLE_MS } } as Context;
  return judgePage(context, createExchange({ status: 'CREATED', redirect_url }));
}

/** A page that responds with these statuses in turn, the last one for good; 0 never responds. */
async function openPage(...statuses: number[]): Promise<string> {
  let opened = 0;
  const server = createServer((_request, response) => {
    const status = statuses[Math.min(opened, statuses.length - 1)] ?? 0;
    opened += 1;
    if (status > 0) response.writeHead(status, { location: '/nowhere' }).end();
  });
  const site = await listenOnLoopback(server);
  afterwards(site.close);
  return `${site.url}/pay/1`;
}

function failLookups(code: string): void {
  vi.spyOn(dns, 'lookup').mockImplementation(((_host: string, _options: object, done: (error: Error) => void) => {
    process.nextTick(() => done(Object.assign(new Error(code), { code })));
  }) as never);
}

describe('a redirect_url', () => {
  it('is reported if nothing listens there', async () => {
    const address = `http://127.0.0.1:${await freePort()}/pay/1`;
    expect(await judge(address)).toMatchObject([{ found: `${address}: nothing listens there` }]);
  });

  it.each([
    ['reports', 'ENOTFOUND', 'https://pay.service.test/1', ['https://pay.service.test/1: its host name is unknown']],
    ['passes', 'EAI_AGAIN', 'https://pay.service.test/1', []],
    ['passes', 'ENOTFOUND', 'https://pay.service.com/1', []],
  ])('%s a host that the lookup fails for with %s: %s', async (_verdict, code, address, expected) => {
    failLookups(code);
    expect((await judge(address)).map(({ found }) => found)).toEqual(expected);
  });

  it.each(['upi://pay?pa=shop@bank', 'https://'])('passes if it opens an app, or no page: %s', async (address) => {
    expect(await judge(address)).toEqual([]);
  });
});

it.each([
  ['conforming', 'is there', [200], AMPLE_MS],
  ['conforming', 'leads elsewhere', [302], AMPLE_MS],
  ['conforming', 'refuses other clients than browsers', [403], AMPLE_MS],
  ['conforming', 'is there a moment later', [404, 200], AMPLE_MS],
  ['violating', 'is missing', [404], AMPLE_MS],
  ['GET returns 500', 'fails', [500], AMPLE_MS],
  ['aborted', 'gives no response', [0], BRIEF_MS],
])('the check of the page shows %s if it %s', async (outcome, _title, statuses, timeoutMs) => {
  const exchange = createExchange({ status: 'CREATED', redirect_url: await openPage(...statuses) });
  const fixtures = {
    bodyFor: () => ({}),
    create: async () => ({ creation: exchange, reads: [exchange] }),
    read: async () => exchange,
  };
  const run = pageCheck(contract).run({ contract, fixtures, settings: { timeoutMs } } as never);
  const found = await run.then(toVerdict, (error: Error) => error.message);
  expect(found).toContain(outcome);
});
