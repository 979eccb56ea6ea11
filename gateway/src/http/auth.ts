/** Authentication by API key (contract: `auth`), and in a sandbox by a session of its console. */

import type { Store } from '../database/store.ts';
import { findKey, type KeyPolicy } from '../merchants/api-keys.ts';
import { merchantBySession } from '../merchants/console-access.ts';
import type { Merchant } from '../merchants/merchants.ts';
import type { Clock } from '../platform/clock.ts';
import { consoleSession } from './console-session.ts';
import type { HttpContext } from './context.ts';
import { findKeyHolder, KeyHolders, requestKey } from './key-holders.ts';
import { ProblemError } from './problems.ts';
import type { RateLimits } from './rate-limits.ts';

export interface AccessPolicy extends KeyPolicy {
  /** Sessions of the console are accepted by default. Only without real money. */
  readonly sessions: boolean;
}

export interface Authentication {
  /**
   * Sets the request's merchant and counts the request. Throws `unauthorized` without a valid key, or a session if they
   * are accepted.
   */
  readonly authenticate: (c: HttpContext, sessions?: boolean) => Promise<Merchant>;
  /** Whether an authenticated request would still be accepted. */
  readonly isAdmitted: (c: HttpContext) => Promise<boolean>;
  /** Looks up the merchant's keys again from now on. */
  readonly forgetMerchant: (merchantId: number) => void;
}

/** Admits requests with API keys, and in sessions, that the policy accepts. */
export function authentication(
  { store, clock }: { readonly store: Store; readonly clock: Clock },
  rates: RateLimits,
  policy: AccessPolicy,
): Authentication {
  const merchants = new KeyHolders({
    rates,
    find: (key) => findKey(store.read, key, policy),
    refusals: {
      missing: 'Missing API key. Send `Authorization: Bearer <key>`.',
      invalid: 'Invalid API key. Check that it is complete, not revoked, and of this environment.',
    },
  });

  async function findBySession(session: string): Promise<Merchant> {
    const merchant = await merchantBySession(store.read, session, policy, clock.now());
    if (!merchant) {
      throw new ProblemError('unauthorized', 'The session of the console has ended. Log in again at `/console/login`.');
    }
    return merchant;
  }

  return {
    async authenticate(c, sessions = policy.sessions) {
      const request = c.get('request');
      const key = requestKey(c);
      const session = key === undefined && sessions ? consoleSession(c) : undefined;
      if (session === undefined) {
        const holder = merchants.remembered(key) ?? (await merchants.find(key, c.env.address));
        request.merchant = holder.merchant;
        request.keyId = holder.keyId;
      } else {
        request.merchant = await findKeyHolder(rates, () => findBySession(session), c.env.address, false);
      }
      rates.countCall(key ?? session ?? '');
      return request.merchant;
    },
    async isAdmitted(c) {
      const key = requestKey(c);
      const found =
        key === undefined
          ? merchantBySession(store.read, consoleSession(c) ?? '', policy, clock.now())
          : findKey(store.read, key, policy);
      return (await found) !== undefined;
    },
    forgetMerchant(merchantId) {
      merchants.forget(({ merchant }) => merchant.id === merchantId);
    },
  };
}
