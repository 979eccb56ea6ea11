/** The holders of keys, such as merchants. Each is looked up once, and cached briefly. */
import { performance } from '../platform/timers.ts';
import type { HttpContext } from './context.ts';
import { ProblemError } from './problems.ts';
import type { RateLimits } from './rate-limits.ts';

/** Cache lifetime of a valid key in milliseconds, which is also the delay of a revocation. */
export const REMEMBERED_MS = 1_000;
const REMEMBERED_MAX = 10_000;

const BEARER = /^Bearer +(\S{1,255}) *$/i;

/** The key of a request's `Authorization: Bearer …` header. */
export function requestKey(c: HttpContext): string | undefined {
  // Read for every request. `c.req.header` would create a `Headers` object first.
  const { authorization } = c.env.headers as { readonly authorization?: string };
  return authorization === undefined ? undefined : BEARER.exec(authorization)?.[1];
}

export interface KeyHolderOptions<Holder> {
  readonly rates: Pick<RateLimits, 'countUnknownKey'>;
  /** The holder of a valid key. May throw a more specific problem. */
  readonly find: (key: string) => Promise<Holder | undefined>;
  /** Problem details for a missing and an invalid key. */
  readonly refusals: { readonly missing: string; readonly invalid: string };
}

export class KeyHolders<Holder> {
  readonly #options: KeyHolderOptions<Holder>;
  /** Keys, valid at their last lookup. */
  readonly #remembered = new Map<string, { holder: Holder; until: number }>();
  /** Look-ups that began before one may have found what is gone. */
  #forgotten = 0;

  constructor(options: KeyHolderOptions<Holder>) {
    this.#options = options;
  }

  /** The cached holder of a key. */
  remembered(key: string | undefined): Holder | undefined {
    const known = key === undefined ? undefined : this.#remembered.get(key);
    return known && known.until > performance.now() ? known.holder : undefined;
  }

  /** Looks up the holder of a key, from an address. Throws the problem `unauthorized` without a valid key. */
  find(key: string | undefined, address: string): Promise<Holder> {
    const wasValid = key !== undefined && this.#remembered.has(key);
    return findKeyHolder(this.#options.rates, () => this.#find(key), address, wasValid);
  }

  /** Looks up the keys of these holders again from now on. */
  forget(isForgotten: (holder: Holder) => boolean): void {
    this.#forgotten += 1;
    for (const [key, { holder }] of this.#remembered) if (isForgotten(holder)) this.#remembered.delete(key);
  }

  async #find(key: string | undefined): Promise<Holder> {
    const { find, refusals } = this.#options;
    if (key === undefined) throw new ProblemError('unauthorized', refusals.missing);
    const before = this.#forgotten;
    const holder = await find(key).catch((error: unknown) => {
      if (error instanceof ProblemError) this.#remembered.delete(key);
      throw error;
    });
    if (!holder) {
      this.#remembered.delete(key);
      throw new ProblemError('unauthorized', refusals.invalid);
    }
    if (this.#remembered.size >= REMEMBERED_MAX) this.#remembered.clear();
    if (this.#forgotten === before) this.#remembered.set(key, { holder, until: performance.now() + REMEMBERED_MS });
    return holder;
  }
}

/**
 * Finds the holder of a credential. An unknown one counts before its lookup, so that the limit of its address protects
 * the database.
 */
export async function findKeyHolder<Holder>(
  rates: Pick<RateLimits, 'countUnknownKey'>,
  find: () => Promise<Holder>,
  address: string,
  wasValid: boolean,
): Promise<Holder> {
  const revert = wasValid ? undefined : rates.countUnknownKey(address);
  try {
    const holder = await find();
    revert?.();
    return holder;
  } catch (error) {
    // A failed lookup must not count against the client.
    if (!(error instanceof ProblemError)) revert?.();
    else if (wasValid) rates.countUnknownKey(address);
    throw error;
  }
}
