/**
 * Detects a service that has stopped, so that a run ends with the request that stopped it instead of failing every check.
 * Also detects a single operation that hangs, so that no check waits for it again.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { deadlineIn } from '../time/awake.ts';
import { NoHttpResponse, type ServiceCall } from './exchange.ts';

export interface SentRequest {
  /** Counts from 1 in the order in which requests were sent. */
  readonly number: number;
  readonly call: ServiceCall;
  readonly check: string;
}

/** The service stopped responding after a request. The run sends no more requests. */
export class ServiceGone extends Error {
  readonly after: SentRequest;
  constructor(after: SentRequest) {
    const { method, path } = after.call.operation;
    super(`the service stopped responding after ${method.toUpperCase()} ${path} (${after.check})`);
    this.after = after;
  }
}

/** Time for a service to restart. */
const GONE_MS = 3_000;
const PROBE_MS = 100;
/** Number of unanswered requests in a row after which a service that accepts connections, or an operation, hangs. */
const HANGING = 5;

export class Liveness {
  readonly #baseUrl: string;
  readonly #ask: (call: ServiceCall) => Promise<unknown>;
  /** Requests without a response since the last response. */
  #unanswered: SentRequest[] = [];
  /** Timed-out requests since the last response, by operation. */
  readonly #late = new Map<string, NoHttpResponse[]>();
  /** The last read of each operation with a response. */
  readonly #reads = new Map<string, ServiceCall>();
  #probing: Promise<boolean> | undefined;
  #hasResponded = false;
  #gone: ServiceGone | undefined;

  /** `ask` rejects without a response. */
  constructor(baseUrl: string, ask: (call: ServiceCall) => Promise<unknown>) {
    this.#baseUrl = baseUrl;
    this.#ask = ask;
  }

  /** Throws ServiceGone if the service has stopped, and NoHttpResponse if the operation hangs. */
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

  /** Throws ServiceGone if the service has stopped, and the error otherwise. */
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

  /** Requests in flight fail together, so the first invalid one is the suspect. */
  #suspect(): SentRequest | undefined {
    const inOrder = this.#unanswered.toSorted((one, other) => one.number - other.number);
    return inOrder.find(({ call }) => call.text !== undefined || call.invalid) ?? inOrder[0];
  }

  async #probe(): Promise<boolean> {
    const { passed } = deadlineIn(GONE_MS);
    for (;;) {
      const isThere = await takesConnections(this.#baseUrl, GONE_MS);
      // Another request got a response.
      if (this.#unanswered.length === 0) return false;
      if (isThere && this.#unanswered.length >= HANGING) return !(await this.#otherResponds());
      if (passed()) return !isThere;
      await pause(PROBE_MS);
    }
  }

  /** Whether another operation still responds. False if none was read before. */
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

const HTTP_PORT = 80;
const HTTPS_PORT = 443;

/** Resolves with false if there is no connection within `withinMs`. */
async function takesConnections(baseUrl: string, withinMs: number): Promise<boolean> {
  const { hostname, port, protocol } = new URL(baseUrl);
  const host = hostname.replace(/^\[|\]$/g, '');
  const socket = connect({ host, port: Number(port) || (protocol === 'https:' ? HTTPS_PORT : HTTP_PORT) });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(withinMs) });
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
