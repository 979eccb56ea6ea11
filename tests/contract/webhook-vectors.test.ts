/** Runs the vectors against every signer and verifier in the repository, and against an unrelated library. */
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { verifyWebhook } from '../../client/src/webhooks.ts';
import { isSigned } from '../../conformance/src/receiver/signature.ts';
import { readBundle } from '../../contract/src/model.ts';
import { readWebhookVectors } from '../../contract/src/webhook-vectors.ts';
import { findForgery, readWireFormat, sign, signedHeaders, signingKey } from '../../gateway/src/webhooks/signature.ts';
import { webhookHeaders } from '../../generated/webhook-headers.ts';

const { now, valid, invalid } = readWebhookVectors();
const VALID = valid.map((vector) => [vector.name, vector] as const);
const INVALID = invalid.map((vector) => [vector.name, vector] as const);
const STANDARD = 'webhook-signature';

type Vector = Pick<(typeof valid)[number], 'headers' | 'body' | 'secret'>;

const lowerCase = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

function readHeaders({ headers }: Vector) {
  const all = lowerCase(headers);
  const signatures = webhookHeaders.signatures.flatMap((name) => all[name.toLowerCase()] ?? []);
  return { all, id: all[webhookHeaders.id] ?? '', timestamp: all[webhookHeaders.timestamp] ?? '', signatures };
}

/** The gateway's verification, by its demo shop. Returns the error. */
function findVectorForgery(vector: Vector): Promise<string | undefined> {
  const { id, timestamp, signatures } = readHeaders(vector);
  const received = { id, timestamp, signature: signatures[0] ?? '', body: vector.body };
  return findForgery(received, vector.secret, now * 1_000);
}

/** The client's verification. Throws a WebhookError. */
const verify = ({ headers, body, secret }: Vector) => verifyWebhook({ headers, body, secret, now: () => now * 1_000 });

/** The conformance kit's judgment of each signature. */
function judge(vector: Vector): Promise<boolean[]> {
  const { id, timestamp, signatures } = readHeaders(vector);
  return Promise.all(signatures.map((value) => isSigned(value, { id, timestamp, text: vector.body }, vector.secret)));
}

/** The verification of an unrelated library. Throws. */
const verifyByLibrary = (vector: Vector) => new Webhook(vector.secret).verify(vector.body, readHeaders(vector).all);

beforeAll(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: now * 1_000 });
});
afterAll(() => {
  vi.useRealTimers();
});

describe('the vectors', () => {
  it('have every webhook of the contract, and at least 15 invalid ones with a reason each', () => {
    const events = Object.keys(readBundle().webhooks).map((id) => `event-${id}`);
    expect(valid.map(({ name }) => name)).toEqual(expect.arrayContaining(events));
    expect(new Set(invalid.map(({ reason }) => reason)).size).toBe(invalid.length);
    expect(invalid.length).toBeGreaterThanOrEqual(15);
  });

  it('have no delivery that is both valid and invalid', () => {
    const textOf = ({ headers, body, secret }: Vector) => JSON.stringify([headers, body, secret]);
    const accepted = new Set(valid.map(textOf));
    expect(invalid.filter((vector) => accepted.has(textOf(vector)))).toEqual([]);
  });
});

describe('a valid vector', () => {
  it.each(VALID)('%s has the signatures of the gateway', (_name, vector) => {
    const { id, timestamp, signatures } = readHeaders(vector);
    const signed = { id, timestamp: Number(timestamp), body: vector.body };
    const expected = sign(signed, vector.signed_with.map(signingKey)).split(' ');
    for (const value of signatures) expect(value.split(/,?\s+/)).toEqual(expect.arrayContaining(expected));
  });

  it.each(VALID)('%s is accepted by the client, the kit, the gateway and the library', async (_name, vector) => {
    const { id, all } = readHeaders(vector);
    expect((await verify(vector)).id).toBe(id);
    expect(await judge(vector)).not.toContain(false);
    expect(await findVectorForgery(vector)).toBeUndefined();
    if (all[STANDARD]) expect(() => verifyByLibrary(vector)).not.toThrow();
  });

  it.each(VALID.filter(([name]) => /^(event|rotation)-/.test(name)))(
    "matches the gateway's delivery for %s",
    (_name, vector) => {
      const { id, timestamp } = readHeaders(vector);
      const signed = { id, timestamp: Number(timestamp), body: vector.body };
      const sent = signedHeaders(readWireFormat(readBundle()), signed, vector.signed_with.map(signingKey));
      expect(sent).toEqual(vector.headers);
    },
  );
});

describe('an invalid vector', () => {
  it.each(INVALID)('%s is rejected by the client, the gateway, the kit and the library', async (_name, vector) => {
    await expect(verify(vector)).rejects.toMatchObject({ name: 'WebhookError', code: vector.code });
    expect(await findVectorForgery(vector)).toBeDefined();
    // Other checks of the kit cover missing headers and the time.
    if (vector.code === 'NO_MATCH') expect(await judge(vector)).toEqual([false, false]);
    // The library parses the timestamp with parseInt and therefore accepts some malformed ones.
    if (vector.code !== 'TIMESTAMP_INVALID') expect(() => verifyByLibrary(vector)).toThrow();
  });

  it.each(['', 'whsec_', 'whsec_§'])(
    'has no usable secret, which the gateway and the kit reject: "%s"',
    async (secret) => {
      const vector = { ...(valid[0] as Vector), secret };
      expect(await findVectorForgery(vector)).toBe('the signature does not match');
      expect(await judge(vector)).not.toContain(true);
    },
  );

  it('is valid without its padding, which the conformance kit rejects', async () => {
    const { headers, body, secret } = valid[0] as Vector;
    const withoutPadding = Object.entries(headers).map(([name, value]) => [name, value.replace(/=$/, '')]);
    expect(await judge({ headers, body, secret })).not.toContain(false);
    expect(await judge({ headers: Object.fromEntries(withoutPadding), body, secret })).not.toContain(true);
  });
});
