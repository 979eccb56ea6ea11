/** The merchant's endpoint for webhooks: it checks each signature, remembers each body, and can keep callers waiting. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { webhookHeaders } from '../../generated/webhook-headers.ts';
import { listenOnLoopback } from '../tools/loopback.ts';
import type { Findings } from './part.ts';

export interface Receiver {
  readonly url: string;
  /** Webhooks that came with a valid signature. */
  readonly count: number;
  /** The ids of transactions that webhooks came for. */
  transactions(): Iterable<string>;
  /** The bodies that came for a transaction. */
  bodiesOf(transactionId: string): readonly string[];
  /** Sends no responses from now on, until `release`. */
  hold(): void;
  /** Requests that wait for a response. */
  readonly held: number;
  /** Responds to those that still wait, and to new ones. A dead sender has to send its requests again. */
  release(): void;
  close(): Promise<void>;
}

/** Starts the endpoint. A webhook without a valid signature is a finding. */
export async function startReceiver(secret: string, findings: Findings): Promise<Receiver> {
  const bodies = new Map<string, string[]>();
  const webhook = new Webhook(secret);
  let count = 0;
  let holding = false;
  const held = new Set<() => void>();

  function record(headers: IncomingHttpHeaders, body: string): void {
    const problem = complaint(webhook, headers, body);
    if (problem) {
      findings.add(`webhook: ${problem}: ${body}`);
      return;
    }
    count++;
    const id = String((JSON.parse(body) as { transaction_id?: string }).transaction_id);
    const known = bodies.get(id);
    if (!known) bodies.set(id, [body]);
    else if (!known.includes(body)) known.push(body);
  }

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk);
    } catch {
      return; // The sender died while it sent; the webhook has to come again.
    }
    const accept = () => {
      record(request.headers, Buffer.concat(chunks).toString());
      response.writeHead(204).end();
    };
    if (!holding) return accept();
    held.add(accept);
    request.socket.on('close', () => held.delete(accept));
  });
  const { url, close } = await listenOnLoopback(server);

  return {
    url: `${url}/webhooks`,
    get count() {
      return count;
    },
    transactions: () => bodies.keys(),
    bodiesOf: (id) => bodies.get(id) ?? [],
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

function complaint(webhook: Webhook, headers: IncomingHttpHeaders, body: string): string | undefined {
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
