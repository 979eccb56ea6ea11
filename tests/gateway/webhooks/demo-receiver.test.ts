import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { demoReceiver } from '../../../gateway/src/commands/demo-receiver.ts';
import type { PlainRequest } from '../../../gateway/src/http/plain.ts';
import { ServedRequest } from '../../../gateway/src/http/served-request.ts';
import { readWireFormat, signedHeaders, signingKey } from '../../../gateway/src/webhooks/signature.ts';
import { readContract } from '../../../gateway/src/wire/contract.ts';
import { START } from '../harness/fixtures.ts';

const BODY = String.raw`{"transaction_id":"pay_1","status":"SUCCESS","decline_reason":"\u001b[2J","note":"₹"}`;
const SECONDS = START / 1_000;

interface Posted {
  readonly timestamp?: number;
  readonly body?: string;
  /** Headers instead of those that were signed; an undefined one is left out. */
  readonly changes?: Record<string, string | undefined>;
  /** Text to put before the values of headers. */
  readonly prepend?: Record<string, string>;
}

/** An endpoint whose clock shows START, and a function that posts to it what was signed with its secret. */
async function startReceiver() {
  const told: string[] = [];
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const contract = readContract();
  const route = demoReceiver({
    ...{ contract, secret, bodyBytesMax: 65_536 },
    tell: (line) => told.push(line),
    now: () => START,
  });
  const format = readWireFormat(contract.bundle);
  const post = async ({ timestamp = SECONDS, body = BODY, changes = {}, prepend = {} }: Posted = {}) => {
    const headers = signedHeaders(format, { id: 'evt_1', timestamp, body: BODY }, [signingKey(secret)]);
    for (const [name, text] of Object.entries(prepend)) headers[name] = text + headers[name];
    const sent = Object.entries({ ...headers, ...changes }).filter((entry): entry is [string, string] => !!entry[1]);
    const received = Object.fromEntries(sent.map(([name, value]) => [name.toLowerCase(), value]));
    const plain = { headers: received, readBody: async () => new TextEncoder().encode(body) };
    const response = await route.respond(new ServedRequest(plain as unknown as PlainRequest, 'req_1'));
    return { status: response.status, text: response.body ?? '' };
  };
  return { post, told, format };
}

describe("the demo shop's endpoint", () => {
  it('accepts a genuine webhook and prints it without its escape sequences', async () => {
    const { post, told } = await startReceiver();
    expect(await post()).toEqual({ status: 204, text: '' });
    expect(told).toEqual([String.raw`webhook  SUCCESS  pay_1  \u001b[2J  (signature verified)`]);
  });

  it('accepts a genuine signature after that of another secret', async () => {
    const { post, format } = await startReceiver();
    const [name = ''] = format.signatures;
    const other = `v1,${randomBytes(32).toString('base64')}`;
    expect((await post({ prepend: { [name]: `${other} ` } })).status).toBe(204);
  });

  it.each([
    ['characters outside ASCII, as many as the genuine one has', 'é'.repeat(47)],
    ['as many bytes outside ASCII as the genuine one has', `${'é'.repeat(23)}x`],
    ['another signature', `v1,${randomBytes(32).toString('base64')}`],
    ['none at all', undefined],
  ])('refuses a signature with %s', async (_what, signature) => {
    const { post, told, format } = await startReceiver();
    const changes = Object.fromEntries(format.signatures.map((name) => [name, signature]));
    expect(await post({ changes })).toEqual({ status: 400, text: 'the signature does not match' });
    expect(told).toEqual([]);
  });

  it('refuses a body that was changed', async () => {
    const { post } = await startReceiver();
    expect((await post({ body: BODY.replace('SUCCESS', 'FAILED') })).status).toBe(400);
  });

  it.each([-301, 301])('refuses a webhook that was signed %d s from now, as a replay is', async (offset) => {
    const { post, told } = await startReceiver();
    expect(await post({ timestamp: SECONDS + offset })).toEqual({
      status: 400,
      text: 'the timestamp is more than 300 s from now',
    });
    expect(told).toEqual([]);
  });

  it.each([-300, 300])('accepts a webhook that was signed %d s from now', async (offset) => {
    const { post } = await startReceiver();
    expect((await post({ timestamp: SECONDS + offset })).status).toBe(204);
  });

  it.each(['', 'now', '1e9', ' 1', '-1', '9999999999999'])('refuses the timestamp "%s"', async (timestamp) => {
    const { post, format } = await startReceiver();
    const { status } = await post({ changes: { [format.timestamp]: timestamp } });
    expect(status).toBe(400);
  });
});
