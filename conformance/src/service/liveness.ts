/**
 * Notices that the service has stopped, so that a run ends with the request that did it instead of failing every check;
 * and that one operation has, while others respond, so that nothing waits for it again.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { deadlineIn } from '../time/awake.ts';
import { NoHttpResponse, type ServiceCall } from './exchange.ts';
import { takesConnections } from './takes-connections.ts';

/** A request, with the check that sent it. */
export interface SentRequest {
  /** Counts from 1 in the order in which requests were sent. */
  readonly number: number;
  readonly call: ServiceCall;
  readonly check: string;
}

/** The service stopped responding after a request. Nothing is sent any more. */
export class ServiceGone extends Error {
  readonly after: SentRequest;
  constructor(after: SentRequest) {
    const { method, path } = after.call.operation;
    super(`the service stopped responding after ${method.toUpperCase()} ${path} (${after.check})`);
    this.after = after;
  }
}

/** A service that is started again within this time is not gone. */
const GONE_MS = 3_000;
const PROBE_MS = 100;
/** A service that takes connections hangs if it leaves so many requests in a row without a response. So does an operation. */
const HANGING = 5;

export class Liveness {
  readonly #baseUrl: string;
  readonly #ask: (call: ServiceCall) => Promise<unknown>;
  /** Requests without a response since the last response. */
  #unanswered: SentRequest[] = [];
  /** The same for each operation, of those whose time was up. */
  readonly #late = new Map<string, NoHttpResponse[]>();
  /** The last read of each operation that had a response. */
  readonly #reads = new Map<string, ServiceCall>();
  #probing: Promise<boolean> | undefined;
  #hasResponded = false;
  #gone: ServiceGone | undefined;

  /** `ask` rejects without a response. */
  constructor(baseUrl: string, ask: (call: ServiceCall) => Promise<unknown>) {
    this.#baseUrl = baseUrl;
    this.#ask = ask;
  }

  /** Throws ServiceGone once the service has stopped, and NoResponse once the operation has. */
  require({ operation }: ServiceCall): void {
    if (this.#gone) throw this.#gone;
    const late = this.#late.get(operation.id) ?? [];
    if (late[0] && late.length >= HANGING) throw late[0];
  }

  noteResponse(call: ServiceCall): void {
    const { id, method } = call.operation;
    this.#unanswered = [];
    this.#late.delete(id);
    if (method === 'get') this.#reads.set(id, call);
    this.#hasResponded = true;
  }

  /** Throws ServiceGone, or else the error: that one request has no response. */
  async judge(sent: SentRequest, error: NoHttpResponse): Promise<never> {
    if (!this.#hasResponded) throw error;
    this.#unanswered.push(sent);
    const { id } = sent.call.operation;
    if (error.isLate) this.#late.set(id, [...(this.#late.get(id) ?? []), error]);
    this.#probing ??= this.#probe().finally(() => {
      this.#probing = undefined;
    });
    if (await this.#probing) this.#gone ??= new ServiceGone(this.#suspect() ?? sent);
    if (this.#gone) throw this.#gone;
    throw error;
  }

  /** Those that were under way are lost together, so the one that a service is least prepared for is suspected. */
  #suspect(): SentRequest | undefined {
    const inOrder = this.#unanswered.toSorted((one, other) => one.number - other.number);
    return inOrder.find(({ call }) => call.text !== undefined || call.invalid) ?? inOrder[0];
  }

  async #probe(): Promise<boolean> {
    const { passed } = deadlineIn(GONE_MS);
    for (;;) {
      const isThere = await takesConnections(this.#baseUrl, GONE_MS);
      // Another request had a response meanwhile.
      if (this.#unanswered.length === 0) return false;
      if (isThere && this.#unanswered.length >= HANGING) return !(await this.#otherResponds());
      if (passed()) return !isThere;
      await pause(PROBE_MS);
    }
  }

  /** Whether an operation responds that none of those requests is for. Not if it was never read before. */
  async #otherResponds(): Promise<boolean> {
    const silent = new Set(this.#unanswered.map(({ call }) => call.operation.id));
    const other = [...this.#reads].findLast(([id]) => !silent.has(id))?.[1];
    if (!other) return false;
    return this.#ask(other).then(
      () => true,
      (error: unknown) => {
        if (error instanceof NoHttpResponse) return false;
        throw error;
      },
    );
  }
}
