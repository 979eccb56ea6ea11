/**
 * Faults of requests to the contract's routes. They are injected after authentication, because rules belong to a
 * merchant. A merchant without rules costs one lookup of its settings.
 */
import type { ChaosFault, ChaosRule } from '../../../generated/sandbox/types.ts';
import { type HttpContext, NoResponse, type RequestContext } from '../http/context.ts';
import { internalError, ProblemWithHeaders, UNAVAILABLE } from '../http/problems.ts';
import { KEY_LIMIT, RateLimitExceeded } from '../http/rate-limits.ts';
import type { RequestFaults } from '../http/routes.ts';
import { seededIds } from '../platform/ids.ts';
import { clearTimeout, setTimeout } from '../platform/timers.ts';
import type { SandboxState } from './sandbox-state.ts';
import { activeChaos, type SandboxSettings } from './settings.ts';

/** Faults that come with the response, not instead of it. */
type ResponseFault = Extract<ChaosFault, 'dropped_after' | 'truncated'>;

const CUTS: Readonly<Record<ResponseFault, RequestContext['cut']>> = { dropped_after: 'before', truncated: 'midway' };
const RETRY_AFTER_SECONDS = 1;
const LATENCY_MS = 2_000;
/** Rules whose requests are counted here. Beyond it, all counts begin again. */
const MATCHED_MAX = 10_000;

export class Chaos {
  readonly #sandboxState: SandboxState;
  readonly #requestsPerSecond: number;
  /** Requests that each rule has matched here, affected or not. */
  readonly #matched = new Map<string, number>();

  /** A 429 reports the request rate limit. */
  constructor(sandboxState: SandboxState, requestsPerSecond: number) {
    this.#sandboxState = sandboxState;
    this.#requestsPerSecond = requestsPerSecond;
  }

  readonly faults: RequestFaults = (c, merchantId) =>
    this.#sandboxState.of(merchantId).chaos?.length ? this.#affect(c, merchantId) : undefined;

  /** Applies the rules in their order until one responds. */
  async #affect(c: HttpContext, merchantId: number): Promise<void> {
    const request = c.get('request');
    for (const rule of activeChaos(this.#sandboxState.of(merchantId), this.#sandboxState.at(merchantId).now)) {
      if (rule.operation !== undefined && rule.operation !== request.operation) continue;
      if (!this.#selects(rule) || !(await this.#count(merchantId, rule))) continue;
      if (rule.fault !== 'slow') return this.#apply(rule, request);
      await pause(c.req.raw.signal, rule.latency_ms ?? LATENCY_MS);
    }
  }

  /** By a number that depends on the seed and on how many requests came before, alike in each run. */
  #selects({ id, rate = 1, seed = 0 }: ChaosRule): boolean {
    const matched = this.#matched.get(id) ?? 0;
    if (this.#matched.size >= MATCHED_MAX) this.#matched.clear();
    this.#matched.set(id, matched + 1);
    return seededIds(String(seed)).fraction(matched) < rate;
  }

  /** Counts an affected request. Returns false if the rule has ended. */
  async #count(merchantId: number, { id, requests_left: limited }: ChaosRule): Promise<boolean> {
    if (limited === undefined) return true;
    let counts = false;
    await this.#sandboxState.change(merchantId, (settings) => {
      const left = settings.chaos?.find((rule) => rule.id === id)?.requests_left;
      counts = left !== undefined;
      return left === undefined ? settings : withRequestsLeft(settings, id, left - 1);
    });
    return counts;
  }

  #apply({ fault, retry_after }: ChaosRule, request: RequestContext): void {
    const seconds = retry_after ?? RETRY_AFTER_SECONDS;
    if (fault === 'rate_limited') throw new RateLimitExceeded(KEY_LIMIT, this.#requestsPerSecond, seconds);
    if (fault === 'unavailable') throw new ProblemWithHeaders(fault, UNAVAILABLE, { 'retry-after': String(seconds) });
    if (fault === 'internal_error') throw internalError(new Error('a chaos rule asks for it'));
    if (fault === 'dropped_before') throw new NoResponse();
    request.cut = CUTS[fault as ResponseFault];
  }
}

function withRequestsLeft(settings: SandboxSettings, id: string, left: number): SandboxSettings {
  const chaos = (settings.chaos ?? []).flatMap((rule) => {
    if (rule.id !== id) return [rule];
    return left > 0 ? [{ ...rule, requests_left: left }] : [];
  });
  return { ...settings, chaos };
}

/** Waits. Throws if the client disconnects, so that its request has no effect. */
function pause(gone: AbortSignal, ms: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      clearTimeout(timer);
      reject(new NoResponse());
    };
    const timer = setTimeout(() => {
      gone.removeEventListener('abort', leave);
      resolve();
    }, ms);
    gone.addEventListener('abort', leave, { once: true });
  });
}
