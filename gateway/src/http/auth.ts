/** Authentication by API key (contract: `auth`). */
import type { onRequestHookHandler } from 'fastify';
import { ProblemError } from '../contract/problems.ts';
import type { Services } from '../operations/operation.ts';
import { type KeyPolicy, merchantByKey } from '../store/api-keys.ts';
import type { Merchant } from '../store/merchants.ts';
import type { RateLimits } from './rate-limits.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once the request is authenticated. */
    merchant: Merchant;
  }
}

/** How long a key that was found is taken as valid without asking again; a revocation takes effect within this. */
const REMEMBERED_MS = 1_000;
const REMEMBERED_MAX = 10_000;

/** The key of an `Authorization: Bearer …` header. */
function bearerKey(header: string | undefined): string | undefined {
  return header?.match(/^Bearer +(\S{1,255}) *$/i)?.[1];
}

/** A hook that sets the request's merchant and counts the request. It fails with `unauthorized` without a valid key. */
export function authentication(
  { store }: Pick<Services, 'store'>,
  rates: RateLimits,
  policy: KeyPolicy,
): onRequestHookHandler {
  const remembered = new Map<string, { merchant: Merchant; until: number }>();

  async function find(key: string | undefined): Promise<Merchant> {
    if (key === undefined) throw unauthorized('Missing API key. Send `Authorization: Bearer <key>`.');
    const merchant = await merchantByKey(store.read, key, policy);
    if (!merchant) {
      remembered.delete(key);
      throw unauthorized('Invalid API key. Check that it is complete, not revoked, and of this environment.');
    }
    if (remembered.size >= REMEMBERED_MAX) remembered.clear();
    remembered.set(key, { merchant, until: performance.now() + REMEMBERED_MS });
    return merchant;
  }

  return (request, _reply, done) => {
    const key = bearerKey(request.headers.authorization);
    const admit = (merchant: Merchant) => {
      request.merchant = merchant;
      rates.countCall(key ?? '');
    };
    const known = key === undefined ? undefined : remembered.get(key);
    if (known && known.until > performance.now()) {
      admit(known.merchant);
      return done();
    }
    const refuse = (error: unknown) => {
      // A store that can't look up the key says nothing about the client.
      if (error instanceof ProblemError) rates.countInvalidKey(request.ip);
      throw error;
    };
    find(key)
      .then(admit, refuse)
      .then(() => done(), done);
  };
}

function unauthorized(detail: string): ProblemError {
  return new ProblemError('unauthorized', detail);
}
