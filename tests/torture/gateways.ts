/** Gateway processes on one database, requests to them, and the findings of a run. */
import type { Store } from '../../gateway/src/database/store.ts';
import { auditStore } from '../../gateway/src/management/audit.ts';
import { type Answer, send } from '../load/client.ts';
import { connect } from '../load/merchants.ts';
import { type Server, startGatewayProcess } from '../tools/server.ts';

export type Environment = Readonly<Record<string, string>>;

/** Parameters of a part. */
export interface Torture {
  readonly seed: number;
  /** An empty folder of this part. */
  readonly folder: string;
  /** Prints the progress. */
  readonly say: (text: string) => void;
}

export interface Result {
  /** Counts of operations, in order of display. */
  readonly counts: Record<string, number | string>;
  /** Losses and errors, one line each. Empty if the part passed. */
  readonly findings: readonly string[];
}

/** Settings of every gateway, besides its database. */
export const BASE: Environment = {
  DATABASE_URL: '',
  HOST: '127.0.0.1',
  PORT: '0',
  LOG_LEVEL: 'fatal',
  REQUESTS_PER_SECOND: '1000000',
  CALLBACK_ALLOW: '127.0.0.0/8',
};

const WITHIN_MS = 20_000;
/** Thousands of findings of the same kind add no information. */
const FINDINGS_MAX = 500;

/** Collects findings. */
export class Findings {
  readonly lines: string[] = [];

  add(text: string): void {
    if (this.lines.length < FINDINGS_MAX) this.lines.push(text.slice(0, 1_000));
  }

  /** Records the text unless the condition holds. */
  expect(condition: boolean, text: () => string): void {
    if (!condition) this.add(text());
  }
}

/** Starts a gateway and waits for it to listen. Throws with its output if it doesn't. */
export function startGateway(env: Environment): Promise<Server> {
  return startGatewayProcess({ ...BASE, ...env });
}

/**
 * Runs the work with a temporary connection to the gateways' database. An open connection to the SQLite file would
 * spare the next gateway the recovery after a kill.
 */
export async function inDatabase<T>(env: Environment, work: (store: Store) => Promise<T>): Promise<T> {
  const store = connect(env);
  return work(store).finally(() => store.close());
}

/** Audits a consistent snapshot of the ledger, even while gateways write. */
export async function audit(env: Environment, findings: Findings): Promise<void> {
  const { differences } = await inDatabase(env, auditStore);
  for (const difference of differences) findings.add(`audit: ${difference}`);
}

/** The status is 0 without a complete response. */
export interface Outcome extends Answer {
  /** Whether the connection ended during the request, so that the request may have been processed. */
  readonly isCut?: boolean;
}

/** Sends a request to a gateway that may die or refuse it. Never rejects. */
export async function call(url: string, key: string, method: string, path: string, body?: unknown): Promise<Outcome> {
  return send({ url, key, withinMs: WITHIN_MS }, method, path, body).catch((error: NodeJS.ErrnoException) => ({
    ...{ status: 0, headers: {}, body: undefined },
    isCut: error.code !== 'ECONNREFUSED',
  }));
}

/** Describes the mistake in a refusal. Undefined for a 503 with the contract's problem and a Retry-After. */
export function describeBadRefusal({ status, headers, body }: Outcome): string | undefined {
  if (status !== 503) return `${status}: ${JSON.stringify(body)}`;
  const isProblem = headers['content-type']?.startsWith('application/problem+json') ?? false;
  return isProblem && headers['retry-after']
    ? undefined
    : `503 without problem or Retry-After: ${JSON.stringify(body)}`;
}
