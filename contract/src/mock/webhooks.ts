/** Sends a webhook of the document to the `callback_url` of a creation, after its response. One attempt, without retries. */
import { randomUUID } from 'node:crypto';
import { type Bundle, type JsonObject, type Operation, webhooks } from '../model.ts';
import { readHeaderNames, signedDelivery } from '../vectors/writer.ts';
import { PLACEHOLDER_SECRET } from './placeholders.ts';
import { invalidPreference } from './preferences.ts';
import { invalidRequest } from './problems.ts';
import { replaceFields } from './replace.ts';
import type { CheckedCall } from './transactions.ts';

export interface WebhookOptions {
  /** Sends a webhook after each creation, even if the request doesn't ask for one. */
  readonly always?: boolean;
  /** Hosts to which webhooks are sent, besides this machine. */
  readonly hosts?: readonly string[];
  /** Gets a line for each webhook. */
  readonly log?: (line: string) => void;
}

/** A webhook to send after the response. */
export interface PlannedWebhook {
  readonly event: string;
  readonly url: string;
  readonly body: JsonObject;
}

const TIMEOUT_MS = 15_000;
const IN_FLIGHT_MAX = 20;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

export interface WebhookSender {
  /** Throws a refusal if the request asks for a webhook that can't be sent. Undefined if none is due. */
  plan(call: CheckedCall, preferred: string | undefined, response: JsonObject): PlannedWebhook | undefined;
  send(webhook: PlannedWebhook): Promise<void>;
  /** Cancels the webhooks in flight. */
  close(): void;
}

export function createWebhookSender(
  bundle: Bundle,
  { always = false, hosts = [], log = () => undefined }: WebhookOptions,
): WebhookSender {
  const all = webhooks(bundle);
  const names = readHeaderNames(bundle);
  const closing = new AbortController();
  let inFlight = 0;

  async function post({ url, body }: PlannedWebhook): Promise<string> {
    const event = { id: `evt_${randomUUID().replaceAll('-', '')}`, body: JSON.stringify(body) };
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(TIMEOUT_MS)]);
    const request = signedDelivery(names, { ...event, timestamp }, [PLACEHOLDER_SECRET]);
    const response = await fetch(url, { method: 'POST', ...request, redirect: 'manual', signal });
    await response.body?.cancel();
    return String(response.status);
  }

  function explainUnsent(url: string): string | undefined {
    if (!isAllowed(url, hosts)) return `not sent: ${ADVICE}`;
    return inFlight < IN_FLIGHT_MAX ? undefined : `not sent: ${IN_FLIGHT_MAX} webhooks are in flight`;
  }

  async function attempt(webhook: PlannedWebhook): Promise<string> {
    inFlight++;
    try {
      return await post(webhook);
    } catch (error) {
      const { name, message, cause } = error as Error & { cause?: { code?: string } };
      return `no response: ${name === 'TimeoutError' ? `none within ${TIMEOUT_MS / 1_000} s` : (cause?.code ?? message)}`;
    } finally {
      inFlight--;
    }
  }

  return {
    plan(call, preferred, response) {
      const { callback_url: url } = (call.body ?? {}) as { readonly callback_url?: string };
      if (preferred === undefined && (!always || url === undefined)) return undefined;
      const { callbacks } = call.operation;
      const event = preferred ?? chooseEvent(all, callbacks, response);
      if (event === undefined || !callbacks.includes(event)) throw unknownEvent(call.operation, event ?? '');
      if (url === undefined || (preferred !== undefined && !isAllowed(url, hosts))) throw refusedAddress();
      return { event, url, body: createBody(all, event, response) };
    },
    async send(webhook) {
      const { event, url } = webhook;
      log(`webhook ${event} → ${url}  ${explainUnsent(url) ?? (await attempt(webhook))}`);
    },
    close: () => closing.abort(),
  };
}

/** The event of the response's status. For a status without an event, such as CREATED, the success. */
function chooseEvent(all: readonly Operation[], callbacks: readonly string[], { status }: JsonObject) {
  const statusOf = (event: string) => findExample(all, event)['status'];
  return (
    callbacks.find((event) => statusOf(event) === status) ?? callbacks.find((event) => statusOf(event) === 'SUCCESS')
  );
}

/** The event's example with the values of the response. Its other times keep their distance from the creation. */
function createBody(all: readonly Operation[], event: string, { status: _, ...values }: JsonObject): JsonObject {
  const example = findExample(all, event);
  const shift = Date.parse(String(values['created_at'])) - Date.parse(String(example['created_at']));
  const entries = Object.entries(example).map(([name, value]) => [
    name,
    /^\d{4}-\d\d-\d\dT/.test(String(value)) ? shiftTime(String(value), shift) : value,
  ]);
  return replaceFields(Object.fromEntries(entries), values);
}

function shiftTime(time: string, ms: number): string {
  return new Date(Date.parse(time) + ms).toISOString().replace('.000Z', 'Z');
}

function findExample(all: readonly Operation[], event: string): JsonObject {
  const example = all.find(({ id }) => id === event)?.request?.examples[0];
  if (!example) throw new Error(`the contract has no example of ${event}`);
  return example.value as JsonObject;
}

const ADVICE =
  'It must be an address of this machine, such as http://localhost:3000. For others, start the mock with --webhooks HOST.';

function isAllowed(url: string, hosts: readonly string[]): boolean {
  const { protocol = '', hostname = '', username = '', password = '' } = URL.parse(url) ?? {};
  return /^https?:$/.test(protocol) && !username && !password && (LOOPBACK.test(hostname) || hosts.includes(hostname));
}

function refusedAddress() {
  return invalidRequest([
    { in: 'body', pointer: '/callback_url', message: `is not an address for the preferred webhook. ${ADVICE}` },
  ]);
}

function unknownEvent({ id, callbacks }: Operation, event: string) {
  return callbacks.length === 0
    ? invalidPreference(`has webhook=${event}, but ${id} has no callback_url`, 'Leave out `webhook`.')
    : invalidPreference(
        `has webhook=${event}, which ${id} does not cause`,
        `Send \`Prefer: webhook=<event>\` with an event of ${id}: ${callbacks.join(', ')}.`,
      );
}
