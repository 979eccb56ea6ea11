/** Authentication by API key (contract: `auth`). */
import { ProblemError } from '../contract/problems.ts';
import type { Services } from '../operations/operation.ts';
import { type Merchant, merchantByKey } from '../store/merchants.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once the call is authenticated. */
    merchant: Merchant;
  }
  interface FastifyContextConfig {
    operationId?: string;
  }
}

/** How long a key that was found is taken as valid without asking again; a revocation takes effect within this. */
const REMEMBERED_MS = 1_000;
const REMEMBERED_MAX = 10_000;

/** The key of an `Authorization: Bearer …` header. */
export function bearerKey(header: string | undefined): string | undefined {
  return header?.match(/^Bearer +(\S{1,255}) *$/i)?.[1];
}

/** A function from the header to the merchant. It throws the problem `unauthorized` without a valid key. */
export function authenticator({ store }: Services): (header: string | undefined) => Promise<Merchant> {
  const remembered = new Map<string, { merchant: Merchant; until: number }>();
  return async (header) => {
    const key = bearerKey(header);
    if (key === undefined)
      throw unauthorized("Send the merchant's secret key as Authorization, Bearer and a space before it.");
    const known = remembered.get(key);
    if (known && known.until > performance.now()) return known.merchant;
    const merchant = await merchantByKey(store.read, key);
    if (!merchant) {
      remembered.delete(key);
      throw unauthorized('Check that the key is complete, not revoked, and of this environment.');
    }
    if (remembered.size >= REMEMBERED_MAX) remembered.clear();
    remembered.set(key, { merchant, until: performance.now() + REMEMBERED_MS });
    return merchant;
  };
}

function unauthorized(detail: string): ProblemError {
  return new ProblemError('unauthorized', detail, { headers: { 'www-authenticate': 'Bearer' } });
}
