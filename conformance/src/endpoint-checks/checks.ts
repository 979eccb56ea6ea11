/** The checks of a webhook endpoint, and the validation of its replies. */
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type AcceptedDelivery, acceptedDeliveries } from '../../../contract/src/vectors/accepted.ts';
import { type Flaw, type RejectedDelivery, rejectedDeliveries } from '../../../contract/src/vectors/rejected.ts';
import {
  readHeaderNames,
  signedDelivery,
  type VectorDelivery,
  type VectorInputs,
} from '../../../contract/src/vectors/writer.ts';
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

/** The endpoint has to accept the delivery. */
function judgeAccepted(reply: EndpointReply, clause: Clause, sent: VectorDelivery): ReceiverFinding[] {
  if (isAccepted(reply)) return [];
  return [{ at: 'status', expected: 'any 2xx', found: inWords(reply), clause, sent }];
}

/** The endpoint has to refuse the delivery, and to keep working. */
async function judgeRejected(
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

/** After an invalid delivery, the endpoint accepts the next valid event. */
async function judgeAfterwards(
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

/** A service doesn't send these forms, so an endpoint may refuse them. */
const OMITTED_DELIVERIES = new Set([
  ...['branded-header-only', 'standard-header-only', 'joined-by-comma', 'several-spaces'],
  // Its receiver has the other secret. `wrong-signature-first` covers this endpoint's secret.
  'rotation-old-secret',
]);

/** Another spelling of a valid signature can't be forged, so an endpoint may accept it. */
const FORGED: readonly Flaw[] = ['changed', 'time', 'header', 'wrong', 'content'];
/** Another version is another algorithm, which the endpoint hasn't verified. */
const OTHER_VERSIONS = new Set(['wrong-version', 'asymmetric-version']);
/** The source requires verification of the signature, and the assumption defines it. */
const SPECIFIED: readonly Flaw[] = ['changed', 'wrong'];

/** Assumptions behind other forms of a valid delivery; `signature` unless listed. */
const FORM_ASSUMPTIONS: Readonly<Record<string, string>> = {
  'unknown-field': 'unknown-fields',
  'repeated-delivery': 'retries',
};

export function receiverChecks(contract: Contract): ReceiverCheck[] {
  const inputs = newVectorInputs('');
  const { bundle } = contract;
  return [
    ...acceptedDeliveries(bundle, inputs)
      .filter(({ name }) => !OMITTED_DELIVERIES.has(name))
      .map((delivery) => acceptsCheck(contract, delivery)),
    ...sequenceChecks(contract),
    ...rejectedDeliveries(bundle, inputs)
      .filter(({ flaw, name }) => FORGED.includes(flaw) || OTHER_VERSIONS.has(name))
      .map((delivery) => rejectsCheck(contract, delivery)),
  ];
}

function acceptsCheck(contract: Contract, { name, summary }: AcceptedDelivery): ReceiverCheck {
  const { bundle } = contract;
  const webhook = contract.webhooks.find(({ id }) => name === `event-${id}`);
  const clause = webhook
    ? contract.clause(webhook.pointer)
    : contract.assumption(FORM_ASSUMPTIONS[name] ?? 'signature');
  return {
    id: `receiver/accepts/${name}`,
    title: `Accepts a valid delivery with 2xx: ${summary}`,
    clause,
    async run({ endpoint, newInputs }) {
      const sent = named(acceptedDeliveries(bundle, newInputs()), name);
      return judgeAccepted(await endpoint.deliver(sent), clause, sent);
    },
  };
}

function rejectsCheck(contract: Contract, { name, reason, flaw }: RejectedDelivery): ReceiverCheck {
  const { bundle } = contract;
  const isSpecified = SPECIFIED.includes(flaw) || name === 'missing-signature';
  const clause = isSpecified
    ? contract.clause('/components/parameters/BrandSignature')
    : contract.assumption('signature');
  return {
    id: `receiver/rejects/${name}`,
    title: `Rejects a forged delivery with 4xx, and keeps working: ${reason}`,
    ...{ clause, flaw },
    async run(context) {
      const sent = named(rejectedDeliveries(bundle, context.newInputs()), name);
      const control = () => context.endpoint.deliver(validDelivery(contract, context.newInputs()));
      return judgeRejected(context, await context.endpoint.deliver(sent), clause, sent, control);
    },
  };
}

/** Another delivery of the checks, such as the same event again. */
type Change = (event: { status: string } & Record<string, unknown>) => Record<string, unknown>;

interface Sequence {
  readonly name: string;
  readonly title: string;
  readonly clause: (contract: Contract) => Clause;
  /** Names of the webhooks whose examples are sent, one after the other, for one transaction. */
  readonly webhooks: readonly string[];
  readonly change?: Change;
  /** Whether all deliveries have one id. */
  readonly repeats?: boolean;
  readonly slow?: boolean;
}

const because = (id: string) => (contract: Contract) => contract.assumption(id);

const SEQUENCES: readonly Sequence[] = [
  {
    name: 'duplicate',
    title: 'Accepts the same event twice, since events arrive at least once.',
    ...{ clause: because('retries'), webhooks: ['paymentSucceeded', 'paymentSucceeded'], repeats: true },
  },
  {
    name: 'reordered',
    title: 'Accepts an event that arrives after a later one of the same payment.',
    clause: because('retries'),
    webhooks: ['paymentSucceeded', 'paymentConfirmationNeeded', 'paymentExtraDataNeeded'],
  },
  {
    name: 'unknown-status',
    title: 'Accepts and ignores an event with a status that the contract lacks.',
    ...{ clause: because('other-webhooks'), webhooks: ['paymentSucceeded'] },
    change: (event) => ({ ...event, status: 'REFUNDED', refunded_at: '2026-03-02T10:00:00Z' }),
  },
  {
    name: 'unknown-decline-reason',
    title: 'Accepts a decline for a reason that the contract lacks.',
    ...{ clause: because('enums-open'), webhooks: ['paymentFailed'] },
    change: (event) => ({ ...event, decline_reason: 'REASON_UNKNOWN_TO_THE_CONTRACT' }),
  },
  {
    name: 'slow-body',
    title: 'Accepts a body that arrives in parts.',
    ...{ clause: because('retries'), webhooks: ['paymentSucceeded'], slow: true },
  },
];

function sequenceChecks(contract: Contract): ReceiverCheck[] {
  return [...SEQUENCES.map((sequence) => sequenceCheck(contract, sequence)), closedCheck(contract)];
}

function sequenceCheck(contract: Contract, sequence: Sequence): ReceiverCheck {
  const clause = sequence.clause(contract);
  return {
    ...{ id: `receiver/accepts/${sequence.name}`, title: sequence.title, clause },
    async run({ endpoint, newInputs }) {
      const inputs = newInputs();
      for (const [index, webhook] of sequence.webhooks.entries()) {
        const id = sequence.repeats ? inputs.id : `${inputs.id}_${index}`;
        const sent = validDelivery(contract, { ...inputs, id }, webhook, sequence.change);
        const findings = judgeAccepted(await endpoint.deliver(sent, sequence.slow ? 'slow' : 'at once'), clause, sent);
        if (findings.length > 0) return findings;
      }
      return [];
    },
  };
}

/** Within this an endpoint has noticed that a connection was closed. */
const NOTICED_MS = 200;

function closedCheck(contract: Contract): ReceiverCheck {
  const clause = because('retries')(contract);
  return {
    id: 'receiver/survives/closed-connection',
    title: 'Keeps working after a connection was closed in the middle of a body.',
    clause,
    async run(context) {
      const sent = validDelivery(contract, context.newInputs());
      await context.endpoint.deliver(sent, 'cut');
      await pause(NOTICED_MS);
      const control = () => context.endpoint.deliver(validDelivery(contract, context.newInputs()));
      return judgeAfterwards(context, clause, sent, control);
    },
  };
}

/** An event that every endpoint has to take. */
export function validDelivery(
  contract: Contract,
  { secret, id, now, body: write }: VectorInputs,
  webhook = 'paymentSucceeded',
  change: Change = (event) => event,
): VectorDelivery {
  const example = contract.webhooks.find((one) => one.id === webhook)?.request?.examples[0]?.value;
  const body = write(change(example as Parameters<Change>[0]));
  return signedDelivery(readHeaderNames(contract.bundle), { id, timestamp: String(now), body }, [secret]);
}

function named<T extends { readonly name: string }>(deliveries: readonly T[], name: string): T {
  const found = deliveries.find((delivery) => delivery.name === name);
  if (!found) throw new Error(`delivery not found: ${name}`);
  return found;
}
