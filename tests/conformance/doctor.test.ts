/** `doctor` says why a service can't be tested. */
import { writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createProgram } from '../../conformance/src/program.ts';
import { runCommand } from '../../contract/src/cli.ts';
import { startMock } from '../../contract/src/mock/server.ts';
import { readBodyText } from '../../contract/src/read-text.ts';
import { startGateway } from '../../gateway/src/index.ts';
import { ROOT, run } from '../../scripts/tools/process.ts';
import { collect } from '../tools/collect.ts';
import { listenOnLoopback } from '../tools/loopback.ts';
import { temporaryFolder } from '../tools/temporary.ts';

let gateway: Awaited<ReturnType<typeof startGateway>>;
let folder: string;

beforeAll(async () => {
  for (const name of ['API_KEY', 'SECOND_API_KEY', 'WEBHOOK_SECRET', 'SANDBOX_KEY']) vi.stubEnv(name, undefined);
  gateway = await startGateway();
  folder = await temporaryFolder('doctor');
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await gateway.close();
});

/** The printed steps by name, with state, text and remedy. */
async function doctor(...args: string[]) {
  const { code, stdout, stderr } = await collect((terminal) =>
    runCommand(createProgram(terminal), ['doctor', ...args]),
  );
  const [, list = '', blocked = '', end = ''] = /^(.*?\n)(skipped {2}Not examined.*?\n)?\n(.*)$/s.exec(stdout) ?? [];
  const steps = list.split(/\n(?=\S)/).map((text): [string, string] => {
    const [, state = '', name = '', rest = ''] = /^(\w+) +(.{18})(.*)/s.exec(text) ?? [];
    return [name.trim(), `${state}: ${rest.replaceAll(/\s+/g, ' ').trim()}`];
  });
  return { code, stdout, stderr, end, blocked: blocked.replaceAll(/\s+/g, ' '), steps: Object.fromEntries(steps) };
}
const onGateway = (...args: string[]) => doctor(gateway.url, '--key', gateway.key, '--secret', gateway.secret, ...args);

describe('a ready service', () => {
  it('passes every step, and can reach every level', async () => {
    const { key: second } = await gateway.addMerchant();
    const { code, stdout, end, steps } = await onGateway('--second-key', second);
    expect(code).toBe(0);
    expect(Object.values(steps).filter((text) => !text.startsWith('ok: '))).toEqual([]);
    expect(Object.keys(steps)).toEqual([
      ...['Node', 'Config', 'Service', 'Driver', 'API key', 'Second key', 'Balance'],
      ...['H2H payment', 'Redirect payment', 'Payout', 'Webhook', 'Signature', 'Clock', 'Rate limit'],
    ]);
    expect(end).toContain('payments-h2h, payments-redirect, payouts,\nwebhooks, repeat-safety.');
    expect(end).toContain(`Next: npx payments-conformance ${gateway.url}, with the same options.`);
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  it('is examined only at the levels that it claims', async () => {
    const { code, end, steps } = await doctor(gateway.url, '--key', gateway.key, '--level', 'payments-h2h');
    expect(code).toBe(0);
    expect(Object.keys(steps)).toContain('H2H payment');
    expect(Object.keys(steps)).not.toEqual(expect.arrayContaining(['Payout', 'Webhook']));
    expect(steps['Second key']).toBe(
      'skipped: None, so no check shows that merchants are kept apart. Next: Set --second-key or SECOND_API_KEY.',
    );
    expect(end).toContain('Levels that this setup can reach: payments-h2h.\n');
  });

  it('can be a mock, which keeps no transactions', async () => {
    const mock = await startMock({ port: 0 });
    const { code, steps } = await doctor(mock.url);
    await mock.close();
    expect(code).toBe(0);
    expect(steps['Driver']).toBe('ok: prism, since it follows the Prefer header, as a mock does.');
    expect(Object.keys(steps)).not.toContain('H2H payment');
  });
});

describe('a problem of the service', () => {
  it('names a missing service, and skips the steps that need it', async () => {
    const { url, close } = await listenOnLoopback(createServer());
    await close();
    const { code, end, blocked, steps } = await doctor(url);
    expect(code).toBe(1);
    expect(steps['Service']).toContain(`problem: No response from ${url}: nothing listens there.`);
    expect(Object.keys(steps)).toEqual(['Node', 'Config', 'Service']);
    expect(blocked).toContain('skipped Not examined because of the above: Driver, API key, Second key, Balance,');
    expect(end).toContain('Not ready: 1 problem.');
  });

  it('is a request without a response, though others have one', async () => {
    const service = await listenOnLoopback(
      createServer(({ url }, response) => {
        if (url === '/merchant/balance') return;
        response.writeHead(404, { 'content-type': 'application/problem+json' }).end('{}');
      }),
    );
    const { code, steps } = await doctor(service.url, '--timeout', '200');
    await service.close();
    expect([code, steps['Service']]).toEqual([
      1,
      'problem: No response to GET /merchant/balance: no response within 200 ms. Other requests have a response. Correct that first.',
    ]);
  });

  it('finds a refused key, and a second key of the same merchant', async () => {
    const refused = await doctor(gateway.url, '--key', 'sk_test_unknown');
    expect([refused.code, refused.steps['API key']]).toEqual([
      1,
      expect.stringMatching(/^problem: .* --key or API_KEY/),
    ]);
    const same = await onGateway('--second-key', gateway.key, '--level', 'payments-h2h');
    expect([same.code, same.steps['Second key']]).toEqual([1, expect.stringMatching(/^problem: .* the same merchant/)]);
  });

  it('finds a service that accepts any key, a wrong clock, a balance without a list, and a refused body', async () => {
    const { steps } = await onService(
      createServer(({ method }, response) => {
        const status = method === 'GET' ? 200 : 400;
        const body = {
          merchant_id: 1,
          detail: 'no UPI here',
          violations: [{ pointer: '/currency', message: 'no INR' }],
        };
        const headers = { 'content-type': 'application/json', date: 'Mon, 02 Mar 2026 18:30:00 GMT' };
        response.writeHead(status, { ...headers, 'ratelimit-policy': '"all";q=60;w=1' }).end(JSON.stringify(body));
      }),
    );
    expect(steps['API key']).toContain('problem: A wrong key gets 200, as if it were right.');
    expect(steps['Clock']).toMatch(/^problem: The service's clock is [\d.]+ s behind this machine's/);
    expect(steps['Rate limit']).toBe('ok: ratelimit-policy: "all";q=60;w=1.');
  });
});

describe('a problem of a transaction', () => {
  it('quotes the objection of the service, and names a driver for another service', async () => {
    const { code, steps } = await onService(
      createServer(({ method, headers }, response) => {
        const known = headers.authorization === 'Bearer sk_test_1';
        const body =
          method === 'GET'
            ? { merchant_id: 1, balances: [{ currency: 'INR', available: 7, pending: 0 }] }
            : { detail: 'No UPI here.', violations: [{ pointer: '/payment_method_type', message: 'must be CARD' }] };
        const status = !known ? 401 : method === 'GET' ? 200 : 400;
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      }),
      ...['--key', 'sk_test_1', '--level', 'payments-h2h,webhooks'],
    );
    expect(code).toBe(1);
    expect(steps['Balance']).toBe('ok: INR 7');
    expect(steps['H2H payment']).toBe(
      'problem: createPayment returned 400, "No UPI here."; /payment_method_type must be CARD. Next: If it isn\'t payments-gateway, write a driver for it: npx payments-conformance init.',
    );
    expect(steps['Webhook']).toBe('skipped: No transaction reached a status of which a webhook is sent.');
  });

  it('is a webhook that does not arrive, with advice on the address', async () => {
    const { code, blocked, steps } = await onGateway(
      '--webhook-url',
      'http://127.0.0.1:1',
      '--timeout',
      '2000',
      ...H2H,
    );
    expect(code).toBe(1);
    expect(steps['Webhook']).toMatch(
      /^problem: The webhook SUCCESS of the payment .* within 2.0 s: nothing came at all\./,
    );
    expect(steps['Webhook']).toContain('--webhook-host 0.0.0.0 --webhook-url');
    expect(blocked).toBe('skipped Not examined because of the above: Signature. ');
  });

  it('finds a webhook to the address of another payment', async () => {
    const payment = { transaction_id: 'pay_1', status: 'SUCCESS' };
    const { code, steps } = await onService(
      createServer(async (request, response) => {
        const isKnown = request.headers.authorization === 'Bearer sk_test_1';
        const body = JSON.parse((await readBodyText(request, 10_000)) || '{}');
        const url = request.method === 'POST' && isKnown && body.callback_url;
        if (url) await fetch(new URL('/hooks', url), { method: 'POST', body: JSON.stringify(payment) });
        response.writeHead(isKnown ? 200 : 401, { 'content-type': 'application/json' }).end(JSON.stringify(payment));
      }),
      ...['--key', 'sk_test_1', '--timeout', '300', ...H2H],
    );
    expect([code, steps['H2H payment']]).toEqual([1, expect.stringContaining('ok: SUCCESS after')]);
    expect(steps['Webhook']).toMatch(
      /within 300 ms: POST \/hooks came instead\. Next: Send each event by POST to the `callback_url`/,
    );
  });

  it('finds a wrong signature, and shows the right one and the signed text without the secret', async () => {
    const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
    const { code, stdout, steps } = await doctor(gateway.url, '--key', gateway.key, '--secret', secret, ...H2H);
    expect(code).toBe(1);
    expect(steps['Signature']).toMatch(
      /expected "v1,[\w+/]{43}=", the HMAC-SHA256 of "\w+\.\d{10}\." and the body; found v1,/,
    );
    expect(stdout.replaceAll(/\s/g, '')).not.toContain(secret);
  });
});

describe('a driver', () => {
  const driver = async (name: string, members: string) => {
    const file = join(folder, `${name}.mjs`);
    const customer = "{ id: 'a', name: 'Asha Rao', email: 'asha.rao@example.com', phone: '+919812345671' }";
    const body = `{ amount: 20_000, currency: 'INR', payment_method_type: 'UPI_IN', customer: ${customer} }`;
    const text = `const body = ${body};\nexport default { name: 'own', payout() {}, items: (names) => Object.fromEntries(names.map((name) => [name, name === 'amount' ? '20000' : 'sample-1'])), ${members} };`;
    await writeFile(file, text);
    return file;
  };
  const withDriver = async (name: string, members: string, ...args: string[]) =>
    onGateway('--driver', await driver(name, members), '--level', 'payments-h2h', ...args);

  it('without a body for a required status is a problem, which names the status and the level', async () => {
    const members = "payment: ({ until }) => (until === 'EXTRA_DATA_NEEDED' ? undefined : body)";
    const { end, steps } = await withDriver('lacking', members, '--level', 'payouts');
    expect(steps['Driver']).toBe(
      'problem: own has no body for: H2H payment to EXTRA_DATA_NEEDED; payout to SUCCESS; payout to FAILED. ' +
        "Next: Add them to `payment` of the driver, or don't claim payments-h2h, payouts, see --level.",
    );
    expect(steps['H2H payment']).toContain('ok: SUCCESS after');
    expect(end).toContain('Not: payments-h2h, payouts.');
  });

  it('names the invalid field of a body', async () => {
    const { steps } = await withDriver('forbidden', 'payment: () => ({ ...body, amount: -1 })');
    expect(steps['Driver']).toMatch(
      /^problem: The body for H2H payment .* isn't one of the contract: \/amount expects/,
    );
  });

  it('with an error is a problem, which quotes the error', async () => {
    const { steps } = await withDriver('throwing', "payment() { throw new Error('no test data'); }");
    expect(steps['Driver']).toMatch(/^problem: `payment` threw for .*: no test data Next: Correct the driver\.$/);
  });

  it('with a load error is a problem, and the service is examined anyway', async () => {
    const { code, blocked, steps } = await onGateway('--driver', join(folder, 'nowhere.mjs'));
    expect([code, steps['Driver']]).toEqual([1, expect.stringMatching(/^problem: Driver not found: /)]);
    expect(steps['API key']).toBe('ok: Accepted. A wrong key gets 401.');
    expect(blocked).toContain('H2H payment');
  });

  it('without a return does not block the examination', async () => {
    const { code, steps } = await withDriver(
      'hanging',
      'payment: () => body, move: () => new Promise(() => {})',
      '--max-time',
      '1',
    );
    expect([code, steps['H2H payment']]).toEqual([1, expect.stringContaining('The 1 s of --max-time are over.')]);
  });
});

it('ends the process even if the driver keeps something open', async () => {
  const file = join(folder, 'open.mjs');
  await writeFile(
    file,
    "setInterval(() => {}, 1000); export default { name: 'own', payment() {}, payout() {}, items() {} };",
  );
  const args = [join(ROOT, 'conformance/src/main.ts'), 'doctor', gateway.url, '--driver', file];
  const { code, stdout } = await run(process.execPath, args, { allowFailure: true, cwd: folder });
  expect([code, stdout]).toEqual([1, expect.stringContaining('Not ready: 2 problems.')]);
});

describe('a config file', () => {
  it('reports an invalid config file, even if it has the base URL', async () => {
    const file = join(folder, 'wrong.json');
    await writeFile(file, '{ "walks": "8" }');
    const { code, steps, end } = await doctor('--config', file);
    expect([code, steps['Config']]).toEqual([1, expect.stringContaining("'walks' must be an integer.")]);
    expect(end).toContain('Not ready: 1 problem.');
  });

  it.each([
    ['without a base URL', [], 'Missing base URL.'],
    ['with an invalid secret', ['http://127.0.0.1:1', '--secret', 'abc'], 'The secret is not a signing secret.'],
    ['with an invalid base URL', ['ftp://x'], 'is not a base URL'],
  ])('and flags are used incorrectly %s', async (_name, args, message) => {
    const { code, stderr } = await doctor(...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});

const H2H = ['--level', 'payments-h2h,webhooks'];

async function onService(server: Server, ...args: string[]) {
  const service = await listenOnLoopback(server);
  try {
    return await doctor(service.url, ...args);
  } finally {
    await service.close();
  }
}
