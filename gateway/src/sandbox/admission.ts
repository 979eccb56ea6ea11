/**
 * Limits the creation of merchants without an account. Anyone who reaches the sandbox can create them, so their number
 * is limited and each expires.
 */

import type { Database } from '../database/store.ts';
import { ProblemError, ProblemWithHeaders } from '../http/problems.ts';
import { countAnonymousMerchants, nextExpiry } from '../merchants/merchants.ts';
import { isSameSecret } from '../platform/crypto.ts';

/** Limits of merchants without an account: the key that creates them, their number and their lifetime. */
export interface MerchantPolicy {
  /** Empty if no key is required. */
  readonly sandboxKey: string;
  readonly sandboxMerchantsMax: number;
  /** 0 keeps them. */
  readonly sandboxMerchantDays: number;
}

const DAY_MS = 24 * 60 * 60_000;

/** Throws the problem `unauthorized` without the sandbox's key, if it has one. */
export function requireSandboxKey({ sandboxKey }: MerchantPolicy, key: string | undefined): void {
  if (sandboxKey === '' || isSameSecret(key ?? '', sandboxKey)) return;
  throw new ProblemError(
    'unauthorized',
    'This sandbox creates merchants only with its own key. Send `Authorization: Bearer <SANDBOX_KEY>`.',
  );
}

/** A time that never comes: the merchant counts, and stays. */
export const NEVER_EXPIRES = Number.MAX_SAFE_INTEGER;

/** Returns the expiry of a merchant created now. Throws the problem `rate-limited` if there are too many. */
export async function admitMerchant(
  db: Database,
  { sandboxMerchantsMax: max, sandboxMerchantDays: days }: MerchantPolicy,
  now: number,
): Promise<number> {
  if ((await countAnonymousMerchants(db)) >= max) {
    const expiry = (await nextExpiry(db)) ?? NEVER_EXPIRES;
    const next = expiry === NEVER_EXPIRES ? now + DAY_MS : expiry;
    throw new ProblemWithHeaders(
      'rate-limited',
      `This sandbox has ${max} merchants without an account, as many as SANDBOX_MERCHANTS_MAX allows. Delete one with its key (DELETE /sandbox/merchant), or retry after the number of seconds in \`Retry-After\`.`,
      { 'retry-after': String(Math.max(1, Math.ceil((next - now) / 1_000))) },
    );
  }
  return days === 0 ? NEVER_EXPIRES : now + days * DAY_MS;
}
