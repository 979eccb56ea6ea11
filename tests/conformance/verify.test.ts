import { readFile, rm } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readBaseUrl } from '../../conformance/src/preflight.ts';
import { progress } from '../../conformance/src/progress.ts';
import { PROVOCATIONS } from '../../conformance/src/provocations.ts';
import type { Report } from '../../conformance/src/report.ts';
import { startMock } from '../../contract/src/mock/server.ts';
import { operations, requestExamples } from '../../contract/src/model.ts';
import { ROOT, run } from '../../scripts/tools/process.ts';
import { contract } from './http.ts';
import { startStateful } from './stateful.ts';
import { startStateless } from './stateless.ts';
import { verify } from './verify.ts';

const all = operations(contract.bundle);
const responseExamples = all.flatMap(({ responses }) => responses.flatMap(({ body }) => body?.examples ?? []));

function command(...args: string[]) {
  return run(process.execPath, [join(ROOT, 'conformance/src/main.ts'), ...args], { allowFailure: true });
}

async function verifyMock(): Promise<Report> {
  return verify(startMock({ port: 0 }));
}

describe('a sound service is acquitted', () => {
  test('when it is the mock, with every example of the document seen', async () => {
    const { ok, mode, totals } = await verifyMock();
    expect({ ok, mode }).toEqual({ ok: true, mode: 'examples' });
    expect(totals).toMatchObject({
      failed: 0,
      notReached: 0,
      operations: all.length,
      requestExamplesReplayed: all.flatMap(requestExamples).length,
      responseExamplesSeen: responseExamples.length,
      responseExamplesDocumented: responseExamples.length,
    });
  });

  test('when it follows Prefer', async () => {
    const { ok, mode, totals } = await verify(startStateless());
    expect({ ok, mode, notReached: totals.notReached }).toEqual({ ok: true, mode: 'examples', notReached: 0 });
  });

  test('when it has its own state and ignores Prefer', async () => {
    const { ok, mode, operations: rows } = await verify(startStateful());
    expect({ ok, mode }).toEqual({ ok: true, mode: 'replay' });
    expect(rows.filter(({ passed }) => passed > 0)).toHaveLength(all.length);
  });
});

describe('the replay on a service with its own state', () => {
  test('takes a payment through the actions that its state allows', async () => {
    const { results } = await verify(startStateful());
    const passed = results.filter(({ state }) => state === 'passed').map(({ title }) => title);
    expect(passed).toContain('clarifyPayment 200 account-and-email');
    expect(passed).toContain('confirmPayment 200 tid');
  });

  test('reports a state that plain calls do not reach as not reached, and not as seen', async () => {
    const { results, totals } = await verify(startStateful());
    const succeeded = results.find(({ title }) => title === 'getPayment 200 succeeded');
    expect(succeeded).toMatchObject({ state: 'not reached', seen: [] });
    expect(succeeded?.reason).toBe('the transaction is CREATED; the example shows SUCCESS');
    expect(totals.responseExamplesSeen).toBeLessThan(totals.responseExamplesDocumented);
  });

  test('knows only provocations of examples that the contract has', () => {
    const names = responseExamples.map(({ name }) => name);
    expect(Object.keys(PROVOCATIONS).filter((name) => !names.includes(name))).toEqual([]);
  });
});

describe('before the checks', () => {
  const altered = (status: number, headers: Record<string, string>) =>
    verify(startStateless({ alter: (answer) => ({ ...answer, status, headers }) }));

  test.each([
    ['a path that has nothing of the contract', 404, { 'content-type': 'application/problem+json' }, 'answers 404'],
    ['a redirect', 301, { location: 'https://other.example.com/' }, 'redirects to https://other.example.com/'],
    ['a web site', 200, { 'content-type': 'text/html' }, 'answers text/html, not JSON'],
    ['a key that is not known', 401, { 'content-type': 'application/problem+json' }, 'refuses the key'],
  ])('one line tells of %s', async (_, status, headers, line) => {
    await expect(altered(status, headers)).rejects.toThrow(line);
  });

  test.each([
    ['does not speak HTTP', 'SSH-2.0-none\r\n', 'what answers does not speak HTTP'],
    ['closes the connection', '', 'the connection was closed without an answer'],
    ['does not answer', undefined, 'no answer within 100 ms'],
  ])('one line tells of a server that %s', async (_, greeting, line) => {
    const server = createServer((socket) => {
      sockets.push(socket);
      if (greeting !== undefined) socket.end(greeting);
    });
    const sockets: Socket[] = [];
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const close = async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    };
    const service = Promise.resolve({ url: `http://127.0.0.1:${port}`, close });
    await expect(verify(service, { timeoutMs: 100 })).rejects.toThrow(line);
  });

  test.each(['127.0.0.1:4010', 'ftp://host', 'http://', 'http://host?a=1', 'http://user@host', ''])(
    "'%s' is no base URL",
    (text) => {
      expect(() => readBaseUrl(text)).toThrow('is not a base URL');
    },
  );

  test('a base URL may have a path, and loses a slash at its end', () => {
    expect(readBaseUrl('https://host.example.com/api/v1/')).toBe('https://host.example.com/api/v1');
  });
});

describe('npm run verify', () => {
  test('exits 0 on the mock and reports the same counts as the checks run without vitest', async () => {
    const file = join(tmpdir(), `verify-${process.pid}.json`);
    const mock = await startMock({ port: 0 });
    const ran = await command(mock.url, '--json', file);
    await mock.close();
    const written = JSON.parse(await readFile(file, 'utf8')) as Report;
    await rm(file);
    const { totals } = await verifyMock();
    expect(ran.code).toBe(0);
    expect(written.totals).toEqual(totals);
    expect(ran.stdout).toContain(`checks: ${totals.passed} passed, 0 failed, 0 not reached`);
  });

  test('exits 1 on a defective service and names operation, example, pointer and field', async () => {
    const service = await startStateless({
      alter: (answer, { operation }) => (operation.id === 'getPayout' ? { ...answer, body: {} } : answer),
    });
    const ran = await command(service.url, '--only', 'getPayout');
    await service.close();
    expect(ran.code).toBe(1);
    expect(ran.stdout).toContain('operation getPayout, example declined-balance');
    expect(ran.stdout).toContain(
      'contract /paths/~1payouts~1{payout_id}/get/responses/200/content/application~1json/examples/declined-balance',
    );
    expect(ran.stdout).toContain('body /status: expected present, found nothing');
  });

  test('exits 1 on an address where nothing listens, with one line', async () => {
    const service = await startStateless();
    await service.close();
    const ran = await command(service.url);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toBe(`No answer from ${service.url}: nothing listens there. Is the service running there?\n`);
  });

  test.each([
    [['nonsense']],
    [[]],
    [['http://127.0.0.1:1', '--only', 'pay']],
    [['http://127.0.0.1:1', '--timeout', 'x']],
  ])('exits 2 when it is called with %j', async (args) => {
    const ran = await command(...args);
    expect(ran.code).toBe(2);
    expect(ran.stderr).not.toContain('    at ');
  });

  test('lists the checks of an operation', async () => {
    const service = await startStateless();
    const ran = await command(service.url, '--only', 'getBalance', '--list');
    await service.close();
    expect(ran.stdout.trim().split('\n')).toContain('getBalance 200 new-merchant');
    expect(ran.stdout).not.toContain('getPayment');
  });
});

test('a run tells how far it is every two seconds', () => {
  const lines: string[] = [];
  let now = 0;
  const step = progress(
    4,
    (line) => lines.push(line),
    () => now,
  );
  for (now of [1999, 2000, 3999, 4001]) step();
  expect(lines).toEqual(['2 of 4 checks done', '4 of 4 checks done']);
});
