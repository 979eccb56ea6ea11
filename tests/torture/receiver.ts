/** The merchant's webhook endpoint, which verifies each signature and records each body. */
import { Webhook } from 'standardwebhooks';
import { webhookHeaders } from '../../generated/webhook-headers.ts';
import { openEndpoint, type Received } from '../tools/endpoint.ts';
import type { Findings } from './gateways.ts';

export interface Receiver {
  readonly url: string;
  /** The received bodies with a valid signature, by transaction. */
  readonly bodies: ReadonlyMap<string, ReadonlySet<string>>;
  close(): Promise<void>;
}

/** Starts the endpoint. A webhook without a valid signature is a finding. */
export async function startReceiver(secret: string, findings: Findings): Promise<Receiver> {
  const bodies = new Map<string, Set<string>>();
  const webhook = new Webhook(secret);

  function record({ headers, body }: Received): void {
    const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
    const signatures = new Set(webhookHeaders.signatures.map((name) => given[name.toLowerCase()]));
    findings.expect(signatures.size === 1, () => `the signature headers of a webhook differ: ${body}`);
    try {
      webhook.verify(body, given);
    } catch (error) {
      findings.add(`${(error as Error).message} in a webhook: ${body}`);
      return;
    }
    const id = String((JSON.parse(body) as { transaction_id?: string }).transaction_id);
    bodies.set(id, (bodies.get(id) ?? new Set()).add(body));
  }

  const { url, close } = await openEndpoint((response, received) => {
    record(received);
    response.writeHead(204).end();
  });
  return { url: `${url}/webhooks`, bodies, close };
}
