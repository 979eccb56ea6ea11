/** Samples of webhooks, and signatures of webhooks that another program sends. */
import { type Bundle, type Operation, webhooks } from '../../../../contract/src/model.ts';
import { invalid, ProblemError } from '../../http/problems.ts';
import { viewAttempt } from '../../management/views.ts';
import { validSecrets } from '../../merchants/signing-secrets.ts';
import { eventById } from '../../webhooks/merchant-events.ts';
import { readWireFormat, signedHeaders, signingKey } from '../../webhooks/signature.ts';
import type { SandboxOperation, SandboxServices } from '../operation.ts';

/** Merchants whose samples are being sent: an endpoint that hangs is held open by one request of each merchant. */
const sending = new WeakMap<SandboxServices['sandboxState'], Set<number>>();

export const sendSampleEvents: SandboxOperation<'sendSampleEvents'> = async (services, { merchant, body }) => {
  const { sandboxState, bundle, deliveries, ids } = services;
  const url = requireUrl(bundle, body.url);
  const chosen = choose(webhooks(bundle), body.events);
  const busy = sending.get(sandboxState) ?? new Set();
  sending.set(sandboxState, busy);
  if (busy.has(merchant.id)) {
    throw new ProblemError('wrong-state', 'Samples of this merchant are being sent. Wait for their responses.');
  }
  busy.add(merchant.id);
  try {
    const id = () => ids.newId('evt', sandboxState.at(merchant.id).now, 'sample', merchant.id, ids.count());
    // All at once, so that together they take no longer than the slowest response.
    const sent = chosen.map(async (webhook) => {
      const message = { id: id(), merchantId: merchant.id, url, body: JSON.stringify(findFirstExample(webhook)) };
      return { event: webhook.id, attempt: viewAttempt(await deliveries.sendNow(message), 1) };
    });
    return { data: await Promise.all(sent) };
  } finally {
    busy.delete(merchant.id);
  }
};

function choose(all: readonly Operation[], names: readonly string[] | undefined): readonly Operation[] {
  if (!names) return all;
  const known = all.map(({ id }) => id).join(', ');
  const violations = names.flatMap((name, index) =>
    all.some(({ id }) => id === name) ? [] : [{ pointer: `/events/${index}`, message: `must be one of ${known}` }],
  );
  if (violations.length > 0) throw invalid(violations);
  return all.filter(({ id }) => names.includes(id));
}

function findFirstExample({ id, request }: Operation) {
  const [example] = request?.examples ?? [];
  if (!example) throw new Error(`the webhook ${id} has no example`);
  return example.value;
}

/** The rule for callback URLs, without credentials. */
function requireUrl({ components }: Bundle, url: string): string {
  const parsed = URL.parse(url);
  const isCallbackUrl = new RegExp(components.schemas['CallbackUrl']?.pattern ?? '').test(url);
  if (parsed && isCallbackUrl && parsed.username === '' && parsed.password === '') return url;
  throw invalid([{ pointer: '/url', message: 'must be an http or https URL without a user name' }]);
}

export const signEvent: SandboxOperation<'signEvent'> = async ({ store, time, bundle }, { merchant, parameters }) => {
  const event = await eventById(store.read, merchant.id, parameters.event_id);
  if (!event) throw new ProblemError('not-found', 'No event of this merchant has this id.');
  const { now } = time.at(merchant.id);
  const secrets = await validSecrets(store.read, merchant.id, now);
  const signed = { ...event, timestamp: Math.floor(time.signedAt(merchant.id) / 1_000) };
  const keys = secrets.map(({ secret }) => signingKey(secret));
  return { url: event.url, headers: signedHeaders(readWireFormat(bundle), signed, keys), body: event.body };
};

export async function takeWebhook(): Promise<undefined> {}
