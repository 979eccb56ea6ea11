/** The page of a redirect is judged by its reachability, not by its content for the kit. */
import dns from 'node:dns';
import { createServer } from 'node:http';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { judgePage, pageCheck } from '../../conformance/src/checks/payment-page.ts';
import type { Context } from '../../conformance/src/core/check.ts';
import { type Loopback, listenOnLoopback } from '../tools/loopback.ts';
import { contract, createExchange } from './report/synthetic.ts';

/** Timeout of silent pages. All others have ample time on a busy machine. */
const BRIEF_MS = 50;
const AMPLE_MS = 30_000;
let site: Loopback | undefined;

afterEach(async () => {
  vi.restoreAllMocks();
  await site?.close();
  site = undefined;
});

function judge(redirect_url?: string, timeoutMs = AMPLE_MS) {
  const context = { contract, settings: { timeoutMs } } as Context;
  return judgePage(context, createExchange({ status: 'CREATED', ...(redirect_url && { redirect_url }) }));
}

/** A page that responds with these statuses in turn, the last one for good; 0 never responds. */
async function page(...statuses: number[]): Promise<string> {
  let opened = 0;
  site = await listenOnLoopback(
    createServer((_request, response) => {
      const status = statuses[Math.min(opened, statuses.length - 1)] ?? 0;
      opened += 1;
      if (status > 0) response.writeHead(status, { location: '/nowhere' }).end();
    }),
  );
  return `${site.url}/pay/1`;
}

function failLookups(code: string): void {
  vi.spyOn(dns, 'lookup').mockImplementation(((_host: string, _options: object, done: (error: Error) => void) => {
    process.nextTick(() => done(Object.assign(new Error(code), { code })));
  }) as never);
}

describe('a redirect_url is reported if', () => {
  it('has no listener', async () => {
    const address = await page(200);
    await site?.close();
    expect(await judge(address)).toMatchObject([{ found: `${address}: nothing listens there` }]);
  });

  it('has an unresolvable host', async () => {
    failLookups('ENOTFOUND');
    const found = 'https://pay.service.test/1: its host name is unknown';
    expect(await judge('https://pay.service.test/1')).toMatchObject([{ found }]);
  });
});

describe('the check of the page', () => {
  const open = async (creation: object, opened = 'CREATED') => {
    const exchange = createExchange(creation);
    const fixtures = {
      bodyFor: () => ({}),
      create: async () => ({ creation: exchange, reads: [createExchange({ status: opened })] }),
      read: async () => exchange,
    };
    const result = pageCheck(contract).run({ contract, fixtures, settings: { timeoutMs: AMPLE_MS } } as never);
    return result.then(
      (findings) => (findings.length > 0 ? 'violating' : 'conforming'),
      (error: Error) => error.message,
    );
  };

  it.each([
    ['conforming', 200],
    ['conforming', 403],
    ['violating', 404],
  ])('is %s if the page returns %i', async (verdict, status) => {
    expect(await open({ status: 'CREATED', redirect_url: await page(status) })).toBe(verdict);
  });

  it('is not reached if the page fails', async () => {
    const address = await page(500);
    expect(await open({ status: 'CREATED', redirect_url: address })).toBe(`${address}: GET returns 500`);
  });
});

describe('a redirect_url passes if its page', () => {
  it.each([
    ['is there', [200]],
    ['leads elsewhere', [302]],
    ['refuses other clients than browsers', [403]],
    ['fails', [500]],
    ['is there a moment later', [404, 200]],
  ])('%s', async (_title, statuses) => {
    expect(await judge(await page(...statuses))).toEqual([]);
  });

  it('comes too late', async () => {
    expect(await judge(await page(0), BRIEF_MS)).toEqual([]);
  });

  it.each([
    ['EAI_AGAIN', 'https://pay.service.test/1'],
    ['ENOTFOUND', 'https://pay.service.com/1'],
  ])('is on a host that customers may know, although it is not known here: %s', async (code, address) => {
    failLookups(code);
    expect(await judge(address)).toEqual([]);
  });

  it.each([['upi://pay?pa=shop@bank'], ['https://'], [undefined]])('opens an app, or no page: %s', async (address) => {
    expect(await judge(address)).toEqual([]);
  });
});
