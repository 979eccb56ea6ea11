/** The merchant's webhook endpoint: verifies each signature, records each body, and can delay its responses. */
import { Webhook } from 'standardwebhooks';
import { webhookHeaders } from '../../generated/webhook-headers.ts';
import { openEndpoint, type Received } from '../tools/endpoint.ts';
import type { Findings } from './part.ts';

export interface Receiver {
  readonly url: string;
  /** Webhooks with a valid signature. */
  readonly count: number;
  /** The ids of transactions with webhooks. */
  transactions(): Iterable<string>;
  /** The received bodies of a transaction. */
  bodiesOf(transactionId: string): ReadonlySet<string>;
  /** Withholds responses until `release`. */
  hold(): void;
  /** Requests that wait for a response. */
  readonly held: number;
  /** Responds to pending and new requests. Deliveries of a dead sender are retried. */
  release(): void;
  close(): Promise<void>;
}

/** Starts the endpoint. A webhook without a valid signature is a finding. */
export async function startReceiver(secret: string, findings: Findings): Promise<Receiver> {
  const bodies = new Map<string, Set<string>>();
  const webhook = new Webhook(secret);
  let count = 0;
  let holding = false;
  const held = new Set<() => void>();

  function record(received: Received): void {
    const { body } = received;
    const problem = complaint(webhook, received);
    if (problem) {
      findings.add(`webhook: ${problem}: ${body}`);
      return;
    }
    count++;
    const id = String((JSON.parse(body) as { transaction_id?: string }).transaction_id);
    bodies.set(id, (bodies.get(id) ?? new Set()).add(body));
  }

  const { url, close } = await openEndpoint((response, received) => {
    const accept = () => {
      record(received);
      response.writeHead(204).end();
    };
    if (!holding) return accept();
    held.add(accept);
    response.on('close', () => held.delete(accept));
  });

  return {
    url: `${url}/webhooks`,
    get count() {
      return count;
    },
    transactions: () => bodies.keys(),
    bodiesOf: (id) => bodies.get(id) ?? new Set(),
    hold() {
      holding = true;
    },
    get held() {
      return held.size;
    },
    release() {
      holding = false;
      for (const accept of held) accept();
      held.clear();
    },
    close,
  };
}

function complaint(webhook: Webhook, { headers, body }: Received): string | undefined {
  const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  const signatures = new Set(webhookHeaders.signatures.map((name) => given[name.toLowerCase()]));
  if (signatures.size !== 1) return 'its signature headers differ';
  try {
    webhook.verify(body, given);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
