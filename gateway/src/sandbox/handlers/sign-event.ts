/** Signs webhooks outside of delivery, for another program to send. */
import type { SignedEvent } from '../../../../generated/sandbox/types.ts';
import { ProblemError } from '../../http/problems.ts';
import { validSecrets } from '../../merchants/signing-secrets.ts';
import { eventById } from '../../webhooks/merchant-events.ts';
import { readWireFormat, signedHeaders, signingKey } from '../../webhooks/signature.ts';
import type { SandboxCall, SandboxServices } from '../operation.ts';

export async function signEvent(
  { store, time, bundle, secretKeys }: SandboxServices,
  { merchant, parameters }: SandboxCall<undefined, { event_id: string }>,
): Promise<SignedEvent> {
  const event = await eventById(store.read, merchant.id, parameters.event_id);
  if (!event) throw new ProblemError('not-found', 'No event of this merchant has this id.');
  const { now } = time.at(merchant.id);
  const secrets = await validSecrets(store.read, merchant.id, now, secretKeys);
  const signed = { ...event, timestamp: Math.floor(time.signedAt(merchant.id) / 1_000) };
  const keys = secrets.map(({ secret }) => signingKey(secret));
  return { url: event.url, headers: signedHeaders(readWireFormat(bundle), signed, keys), body: event.body };
}

export async function takeWebhook(): Promise<undefined> {}
