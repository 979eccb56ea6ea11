/** A check of a webhook endpoint, and how the endpoint's replies are judged. */
import { randomBytes } from 'node:crypto';
import type { VectorDelivery, VectorInputs } from '../../../contract/src/vectors/writer.ts';
import { type Finding, NotReached, type Verdict } from '../core/finding.ts';
import type { Clause, Contract } from '../document/contract.ts';
import type { EndpointReply, WebhookEndpoint } from './endpoint.ts';

export interface ReceiverCheck {
  /** Stable from version to version, such as `receiver/rejects/stale`. */
  readonly id: string;
  /** Behavior of a conforming endpoint, in the present tense. */
  readonly title: string;
  readonly clause: Clause;
  /** The kind of forgery, if any. */
  readonly flaw?: string;
  run(context: ReceiverContext): Promise<ReceiverFinding[]>;
}

export interface ReceiverContext {
  readonly contract: Contract;
  readonly endpoint: WebhookEndpoint;
  /** Inputs with a new event and transaction. */
  newInputs(): VectorInputs;
  /** Whether the endpoint accepts a valid event at all. */
  isOpen(): Promise<boolean>;
}

export interface ReceiverFinding extends Finding {
  /** The delivery under judgment. */
  readonly sent: VectorDelivery;
}

export interface ReceiverResult extends Omit<ReceiverCheck, 'run'> {
  readonly verdict: Verdict;
  readonly findings: readonly ReceiverFinding[];
  /** The reason why the check was not reached, or the kit's fault. */
  readonly reason?: string;
  readonly remedy?: string;
}

/** Tolerates an inexact clock. */
const MARGIN_SECONDS = 60;

/** Creates inputs with the secret, a new event, a new transaction and, by default, a new order. */
export function newVectorInputs(secret: string, order?: string): VectorInputs {
  const part = randomBytes(8).toString('hex');
  const otherSecret = () => `whsec_${randomBytes(32).toString('base64')}`;
  return {
    ...{ secret, previousSecret: otherSecret(), foreignSecret: otherSecret() },
    now: Math.floor(Date.now() / 1_000),
    marginSeconds: MARGIN_SECONDS,
    id: `evt_kit_${part}`,
    body(example) {
      const [prefix] = String((example as Record<string, unknown>)['transaction_id']).split('_');
      const own = { transaction_id: `${prefix}_kit_${part}`, merchant_order_id: order ?? `kit-${part}` };
      return JSON.stringify({ ...example, ...own });
    },
  };
}

/** The endpoint has to take the delivery. */
export function judgeAccepted(reply: EndpointReply, clause: Clause, sent: VectorDelivery): ReceiverFinding[] {
  if (isAccepted(reply)) return [];
  return [{ at: 'status', expected: 'any 2xx', found: inWords(reply), clause, sent }];
}

/** The endpoint has to refuse the delivery, and to keep working. */
export async function judgeRejected(
  context: ReceiverContext,
  reply: EndpointReply,
  clause: Clause,
  sent: VectorDelivery,
  control: () => Promise<EndpointReply>,
): Promise<ReceiverFinding[]> {
  const isRefused = reply.status !== undefined && reply.status >= 400 && reply.status < 500;
  const refused: ReceiverFinding[] = isRefused
    ? []
    : [{ at: 'status', expected: '4xx', found: inWords(reply), clause, sent }];
  // An endpoint that trusts a forgery is at fault whatever else it does.
  if (isAccepted(reply)) return refused;
  return [...refused, ...(await judgeAfterwards(context, clause, sent, control))];
}

/** After something wrong, the endpoint takes the next valid event. */
export async function judgeAfterwards(
  context: ReceiverContext,
  clause: Clause,
  sent: VectorDelivery,
  control: () => Promise<EndpointReply>,
): Promise<ReceiverFinding[]> {
  if (!(await context.isOpen())) {
    throw new NotReached(
      'the endpoint rejects valid events too, so its rejection proves nothing',
      'correct what receiver/accepts reports first',
    );
  }
  const next = await control();
  if (isAccepted(next)) return [];
  return [{ at: 'status of the next valid event', expected: 'any 2xx', found: inWords(next), clause, sent }];
}

export function isAccepted({ status = 0 }: EndpointReply): boolean {
  return status >= 200 && status < 300;
}

function inWords({ status, failure }: EndpointReply): string {
  if (status === undefined) return failure ?? 'no response';
  return status >= 300 && status < 400 ? `${status}, and redirects aren't followed` : String(status);
}
