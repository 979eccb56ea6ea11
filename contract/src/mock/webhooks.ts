/** Sends a webhook of the document to the `callback_url` of a creation, after its response. One attempt, without retries. */
import { randomUUID } from 'node:crypto';
import type { Violation } from '../../../generated/types.ts';
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
  /** Hosts to which webhooks are sent, and whose pages cause them, besides this machine. */
  readonly hosts?: readonly string[];
  /** Gets a line for each webhook. */
  readonly log?: (line: string) => void;
}

/** A webhook to send after the response. */
export interface PlannedWebhook {
  readonly event: string;
  readonly url: string;
  readonly body: JsonObject;
  /** The reason not to send it. */
  readonly refusal?: string | undefined;
}

interface WebhookRequest {
  readonly call: CheckedCall;
  /** The event that the request asks for. */
  readonly preferred: string | undefined;
  /** The origin of the page that sent the request. */
  readonly origin: string | undefined;
}

const TIMEOUT_MS = 15_000;
const IN_FLIGHT_MAX = 20;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

export interface WebhookSender {
  /** Throws a refusal if the request asks for a webhook that can't be sent. Undefined if none is due. */
  plan(request: WebhookRequest, response: JsonObject): PlannedWebhook | undefined;
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

  function findViolation(url: string, origin: string | undefined): Violation | undefined {
    if (!isAllowed(url, hosts)) return { in: 'body', pointer: '/callback_url', message: `must be an address ${WHERE}` };
    // Through the mock, a page elsewhere could send JSON to any program on this machine.
    if (origin !== undefined && !isAllowed(origin, hosts))
      return { in: 'header', pointer: '/origin', message: `must be of a page ${WHERE}` };
    return undefined;
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
    plan({ call, preferred, origin }, response) {
      const { callbacks } = call.operation;
      if (preferred === undefined && (!always || callbacks.length === 0)) return undefined;
      const event = preferred ?? chooseEvent(all, callbacks, response);
      if (event === undefined || !callbacks.includes(event)) throw unknownEvent(call.operation, event ?? '');
      const { callback_url: url } = call.body as { readonly callback_url: string };
      const violation = findViolation(url, origin);
      if (violation && preferred !== undefined) throw invalidRequest([violation]);
      const refusal = violation && `${violation.pointer.slice(1)} ${violation.message}`;
      return { event, url, body: createBody(all, event, response), refusal };
    },
    async send(webhook) {
      const { event, url, refusal = inFlight < IN_FLIGHT_MAX ? undefined : FULL } = webhook;
      log(`webhook ${event} → ${url}  ${refusal ? `not sent: ${refusal}` : await attempt(webhook)}`);
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

const WHERE = 'on this machine, such as http://localhost:3000. For other hosts, start the mock with --webhooks HOST.';
const FULL = `${IN_FLIGHT_MAX} webhooks are in flight`;

function isAllowed(url: string, hosts: readonly string[]): boolean {
  const { protocol = '', hostname = '', username = '', password = '' } = URL.parse(url) ?? {};
  return /^https?:$/.test(protocol) && !username && !password && (LOOPBACK.test(hostname) || hosts.includes(hostname));
}

function unknownEvent({ id, callbacks }: Operation, event: string) {
  return callbacks.length === 0
    ? invalidPreference(`has webhook=${event}, but ${id} has no callback_url`, 'Leave out `webhook`.')
    : invalidPreference(
        `has webhook=${event}, which ${id} does not cause`,
        `Send \`Prefer: webhook=<event>\` with an event of ${id}: ${callbacks.join(', ')}.`,
      );
}
