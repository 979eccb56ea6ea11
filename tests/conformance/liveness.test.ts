/** A service that stops ends the run, whose first finding is its last request. */
import { createServer, type Server } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { buildReport } from '../../conformance/src/report/build-report.ts';
import { assess } from '../../conformance/src/run/assess.ts';
import { verifyService } from '../../conformance/src/run/verify.ts';
import { connectToService } from '../../conformance/src/service/connection.ts';
import { openJournal } from '../../conformance/src/service/exchange.ts';
import { operations, readBundle } from '../../contract/src/model.ts';
import { inject, startTestGateway } from '../gateway/harness.ts';
import { listenOnLoopback } from '../tools/loopback.ts';

type Fault = (text: string, server: Server, path: string) => 'respond' | 'hang' | 'close';

/** More than a normal response takes on a busy machine. */
const HANGS_MS = 3_000;

/** Whether the request is a truncated creation of a payment. */
const isBroken = (text: string): boolean => text.startsWith('{"amount":') && !/[} ]$|\}x$/.test(text);

/** A gateway behind a faulty server. */
async function verifyBehind(
  fault: Fault,
  timeoutMs = 30_000,
  only = ['bad-request/createPayment', 'bad-request/confirmPayment'],
) {
  let url = '';
  const { gateway, key, secret } = await startTestGateway({ publicUrl: () => url });
  const server = createServer(async (request, response) => {
    const payload = await buffer(request);
    const chosen = fault(payload.toString(), server, request.url ?? '');
    if (chosen === 'close') response.destroy();
    if (chosen !== 'respond') return;
    const { host: _host, connection: _connection, ...headers } = request.headers;
    const inner = await inject(gateway, {
      method: request.method ?? 'GET',
      url: request.url ?? '',
      headers: headers as Record<string, string>,
      ...(payload.length > 0 && { payload }),
    });
    const { 'content-length': _length, 'transfer-encoding': _encoding, ...rest } = inner.headers;
    response.writeHead(inner.statusCode, rest as Record<string, string>).end(inner.body);
  });
  const site = await listenOnLoopback(server);
  url = site.url;
  try {
    const verification = await verifyService({
      ...{ baseUrl: site.url, key, secret, driver: 'gateway', only, seed: 1, timeoutMs },
    });
    return buildReport(verification, assess(verification), '1.0.0-dev');
  } finally {
    await site.close();
  }
}

// They mostly wait.
describe.concurrent('a service', () => {
  it('ends the run at the fatal request, which is the first finding, without blaming other checks', async () => {
    const { groups, outcome, exitCode } = await verifyBehind((text, server) => {
      if (!isBroken(text)) return 'respond';
      server.close();
      server.closeAllConnections();
      return 'hang';
    });
    const [first, ...others] = groups;
    expect({ outcome, exitCode, checks: first?.checks }).toEqual({
      ...{ outcome: "doesn't conform", exitCode: 1, checks: ['bad-request/createPayment/broken-json'] },
    });
    expect(first?.finding?.found).toBe(
      'the service stopped responding after POST /payments (bad-request/createPayment/broken-json)',
    );
    expect(others.map(({ verdict, remedy }) => [verdict, remedy])).toEqual([
      ['not reached', 'correct what bad-request/createPayment/broken-json shows first'],
    ]);
  });

  it('fails the first check that notices if a probe made it hang', async () => {
    let balances = 0;
    const { groups, exitCode } = await verifyBehind(
      (_text, _server, path) => {
        if (path.endsWith('/balance')) balances += 1;
        return balances > 1 ? 'hang' : 'respond';
      },
      HANGS_MS,
      ['replay/getBalance', 'money', 'amount/createPayout', 'wallet'],
    );
    expect(exitCode).toBe(1);
    expect(groups[0]?.finding?.found).toContain('the service stopped responding after GET /merchant/balance');
    expect(groups.slice(1).every(({ verdict }) => verdict === 'not reached')).toBe(true);
  });
});

it('a run out of time sends no more requests, and names the option to raise', async () => {
  let requests = 0;
  const site = await listenOnLoopback(
    createServer((_request, response) => {
      requests += 1;
      response.end('{}');
    }),
  );
  const limits = { timeoutMs: 1_000, maxRequests: 10, maxAmount: 10, maxTime: 0 };
  const connection = connectToService({ baseUrl: site.url, key: 'key', headers: {}, ...limits }, openJournal());
  const [operation] = operations(readBundle());
  if (!operation) throw new Error('the contract has no operations');
  // The time is up once some has passed.
  await setImmediate();
  const refused = expect.objectContaining({ message: 'the run may take 0 s', remedy: 'raise --max-time' });
  await expect(connection.send({ operation }, 'check')).rejects.toEqual(refused);
  await site.close();
  expect(requests).toBe(0);
});
