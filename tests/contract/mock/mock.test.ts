import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { guide } from '../../../contract/src/mock/guide.ts';
import { type Mock, startMock } from '../../../contract/src/mock/server.ts';
import { type Json, operations, readBundle, requestExamples } from '../../../contract/src/model.ts';
import { compile } from '../../../contract/src/schemas.ts';

const bundle = readBundle();
const validator = compile(bundle);
const creation = operations(bundle).find(({ id }) => id === 'createPayment');
const example = creation && requestExamples(creation)[0]?.body;
const authorized = { authorization: 'Bearer sk_test_any' };
let mock: Mock;

beforeAll(async () => {
  mock = await startMock({ port: 0 });
});
afterAll(() => mock.close());

function post(path: string, text: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(mock.url + path, {
    method: 'POST',
    headers: { ...authorized, 'content-type': 'application/json', ...headers },
    body: text,
  });
}

async function problem(response: Response): Promise<Record<string, Json>> {
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  return (await response.json()) as Record<string, Json>;
}

describe('the guide that is printed at the start', () => {
  test.each(operations(bundle))('lists every example of $id under its status', (operation) => {
    const text = guide(bundle, mock.url);
    const section = text.slice(text.indexOf(`${operation.id}:`)).split('\n');
    operation.responses.forEach((response, index) => {
      const names = response.body?.examples.map(({ name }) => name).join(', ');
      expect(section[index + 1]?.trim()).toBe(`${response.status}  ${names}`);
    });
  });

  test('has a curl line that works', async () => {
    const [, url = '', key = ''] = /curl (\S+) -H 'Authorization: (.+)'/.exec(guide(bundle, mock.url)) ?? [];
    expect((await fetch(url, { headers: { authorization: key } })).status).toBe(200);
  });

  test('has Prefer headers that choose what they say', async () => {
    const [, url = ''] = /curl (\S+)/.exec(guide(bundle, mock.url)) ?? [];
    const headers = [...guide(bundle, mock.url).matchAll(/'Prefer: (.+)'/g)].map((match) => match[1] ?? '');
    const answers = await Promise.all(
      headers.map((prefer) => fetch(url, { headers: { ...authorized, prefer } }).then((response) => response.status)),
    );
    expect(answers).toEqual(headers.map((prefer) => Number(/code=(\d+)/.exec(prefer)?.[1] ?? 200)));
  });
});

describe('the mock', () => {
  test('answers 400 to a body that the contract does not allow, and names the violations in a header', async () => {
    const response = await post('/payments', '{"amount":"x"}');
    expect(response.status).toBe(400);
    expect((await problem(response))['status']).toBe(400);
    expect(response.headers.get('sl-violations')).toContain('amount must be integer');
  });

  test('answers 400 to a body that is not JSON', async () => {
    const response = await post('/payments', '{"amount"');
    expect(response.status).toBe(400);
    expect((await problem(response))['status']).toBe(400);
  });

  test('answers when a violation quotes letters that no header can carry', async () => {
    const response = await post('/payments', '{"сумма":1}');
    expect(response.status).toBe(400);
    expect(response.headers.get('sl-violations')).toContain('\\u0441');
  });

  test('answers 415 to a body of another media type', async () => {
    expect((await post('/payments', 'amount=1', { 'content-type': 'text/plain' })).status).toBe(415);
  });

  test('answers 401 with a problem to a call without a key', async () => {
    const response = await fetch(`${mock.url}/merchant/balance`);
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expect((await problem(response))['status']).toBe(401);
  });

  test('answers 404 with a problem to a path that the contract does not have', async () => {
    const response = await fetch(`${mock.url}/nothing`, { headers: authorized });
    expect(response.status).toBe(404);
    expect((await problem(response))['status']).toBe(404);
  });

  test.each([
    ['an example that the status does not have', { prefer: 'code=200, example=nonsense' }, '/merchant/balance', 404],
    ['a status that the operation does not have', { prefer: 'code=418' }, '/merchant/balance', 404],
    ['a code that is no number', { prefer: 'code=many' }, '/merchant/balance', 422],
    ['an address that is none', {}, '/payments/%zz', 400],
  ])('says in one line what is wrong with %s', async (_, headers, path, status) => {
    const response = await fetch(mock.url + path, { headers: { ...authorized, ...headers } });
    expect(response.status).toBe(status);
    const { title, detail } = await problem(response);
    expect(detail).not.toBe('');
    expect(title).not.toContain('\n');
  });

  test.each(operations(bundle).filter(({ method }) => method === 'get'))(
    'makes up an answer of $id that keeps the contract, with Prefer: dynamic=true',
    async (operation) => {
      const [{ path = {}, query = {} } = {}] = requestExamples(operation);
      const filled = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => path[name] ?? '');
      const response = await fetch(`${mock.url}${filled}?${new URLSearchParams(query)}`, {
        headers: { ...authorized, prefer: 'dynamic=true' },
      });
      const schema = operation.responses[0]?.body?.schema ?? {};
      expect(response.status).toBe(200);
      expect(validator(schema)((await response.json()) as Json)).toEqual([]);
    },
  );

  test('answers an error to a caller that accepts only plain JSON', async () => {
    const headers = { accept: 'application/json', prefer: 'code=409' };
    expect((await post('/payments', JSON.stringify(example), headers)).status).toBe(409);
  });

  test('lets pages of other origins call it with the headers that they ask for', async () => {
    const asked = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization,prefer' };
    const response = await fetch(`${mock.url}/payments`, {
      method: 'OPTIONS',
      headers: { origin: 'http://shop.localhost', ...asked },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe('http://shop.localhost');
    expect(response.headers.get('access-control-allow-headers')).toBe('authorization,prefer');
  });

  test('sends nothing to the callback address', async () => {
    const received: (string | undefined)[] = [];
    const receiver = createServer((request, reply) => {
      received.push(request.method);
      reply.end('{}');
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    const response = await post('/payments', JSON.stringify({ ...(example as object), callback_url: address }));
    expect(response.status).toBe(200);
    await fetch(address, { method: 'HEAD' });
    receiver.closeAllConnections();
    receiver.close();
    expect(received).toEqual(['HEAD']);
  });
});
