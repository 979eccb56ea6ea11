/** Authentication by API key (contract: `auth`), and in a sandbox by the session of its console. */
import type { onRequestHookHandler } from 'fastify';
import { ProblemError } from '../contract/problems.ts';
import type { Services } from '../operations/operation.ts';
import { type KeyPolicy, merchantByKey } from '../store/api-keys.ts';
import { merchantBySession } from '../store/console-access.ts';
import type { Merchant } from '../store/merchants.ts';
import { consoleSession } from './console-session.ts';
import type { RateLimits } from './rate-limits.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once the request is authenticated. */
    merchant: Merchant;
  }
}

/** How long a key that was found is taken as valid without asking again; a revocation takes effect within this. */
export const REMEMBERED_MS = 1_000;
const REMEMBERED_MAX = 10_000;

/** The key of an `Authorization: Bearer …` header. */
export function bearerKey(header: string | undefined): string | undefined {
  return header?.match(/^Bearer +(\S{1,255}) *$/i)?.[1];
}

/** What is accepted. */
export interface AccessPolicy extends KeyPolicy {
  /** Sessions of the console are accepted too. Only where no money moves. */
  readonly sessions: boolean;
}

export interface Authentication {
  /** A hook that sets the request's merchant and counts the request. It fails with `unauthorized` without a valid key. */
  readonly authenticate: onRequestHookHandler;
  /** Asks for the merchant's keys again from now on. */
  readonly forgetMerchant: (merchantId: number) => void;
}

/** Admits requests with API keys, and in sessions, that the policy accepts. */
export function authentication(
  { store, clock }: Pick<Services, 'store' | 'clock'>,
  rates: RateLimits,
  policy: AccessPolicy,
): Authentication {
  const remembered = new Map<string, { merchant: Merchant; until: number }>();
  /** Look-ups that began before one may have found what is gone. */
  let forgotten = 0;

  async function find(key: string | undefined): Promise<Merchant> {
    if (key === undefined) throw unauthorized('Missing API key. Send `Authorization: Bearer <key>`.');
    const before = forgotten;
    const merchant = await merchantByKey(store.read, key, policy);
    if (!merchant) {
      remembered.delete(key);
      throw unauthorized('Invalid API key. Check that it is complete, not revoked, and of this environment.');
    }
    if (remembered.size >= REMEMBERED_MAX) remembered.clear();
    if (forgotten === before) remembered.set(key, { merchant, until: performance.now() + REMEMBERED_MS });
    return merchant;
  }

  async function findBySession(session: string): Promise<Merchant> {
    const merchant = await merchantBySession(store.read, session, policy, clock.now());
    if (!merchant) throw unauthorized('The session of the console has ended. Log in again at `/console/login`.');
    return merchant;
  }

  const authenticate: onRequestHookHandler = (request, _reply, done) => {
    const key = bearerKey(request.headers.authorization);
    const session = key === undefined && policy.sessions ? consoleSession(request) : undefined;
    const admit = (merchant: Merchant) => {
      request.merchant = merchant;
      rates.countCall(key ?? session ?? '');
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
    (session === undefined ? find(key) : findBySession(session)).then(admit, refuse).then(() => done(), done);
  };

  return {
    authenticate,
    forgetMerchant(merchantId) {
      forgotten += 1;
      for (const [key, { merchant }] of remembered) if (merchant.id === merchantId) remembered.delete(key);
    },
  };
}

function unauthorized(detail: string): ProblemError {
  return new ProblemError('unauthorized', detail);
}
