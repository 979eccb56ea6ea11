/**
 * `listen`: shows a merchant's webhooks as they arrive, and forwards them to addresses that the gateway can't reach.
 */
import { parseArgument, parseName, UserError } from '../../../../contract/src/cli.ts';
import { printable } from '../../../../contract/src/printable.ts';
import { webhookName } from '../../../../generated/webhooks.ts';
import { type Access, callManagement, callSandbox } from '../../api-client/client.ts';
import { followChanges, type RetryOptions, untilServed } from '../../api-client/stream.ts';
import {
  type FollowedOutput,
  followGateway,
  jsonLine,
  readAddress,
  reportWaits,
  SeenIds,
  timeOfDay,
} from './access.ts';
import { GOALS } from './trigger.ts';

export interface ListenOptions {
  /** Addresses or ports to forward to: `URL` for every event, `EVENT=URL` for one. */
  readonly forwardTo?: readonly string[];
  /** Names of webhooks; all without it. */
  readonly events?: readonly string[];
}

/** Time for an endpoint to respond, as for the gateway's own attempts. */
const RESPOND_MS = 15_000;
/** Maximum characters shown of a response. */
const RESPONSE_CHARS = 200;
/** Maximum webhooks in flight, so that a slow response delays no other webhook. */
const FORWARDS_MAX = 50;
/** Maximum webhooks fetched after a lost connection. */
const MISSED_MAX = 200;

/** Shows and forwards webhooks until the signal is aborted. */
export async function listen(access: Access, options: ListenOptions, following: FollowedOutput): Promise<void> {
  const { terminal, signal } = following;
  const targets = parseTargets(options.forwardTo ?? []);
  const onOpen = () => terminal.err(`listening to ${access.url}${describeTargets(targets)}. Stop with Ctrl+C.\n`);
  const retrying = { signal, onWait: reportWaits(terminal) };
  const forwards = new Set<Promise<void>>();
  /** Ids that were listed or streamed, and ids of webhooks from a time without a connection. */
  const [known, missed] = [new SeenIds(), new SeenIds()];
  const list = () => callManagement(access, 'listEvents', { query: { limit: MISSED_MAX } });

  async function show(id: string): Promise<void> {
    while (forwards.size >= FORWARDS_MAX) await Promise.race(forwards);
    const forward = showWebhook(access, id, { ...options, targets }, { ...following, retrying })
      .catch((error: Error) => {
        if (!signal.aborted) terminal.err(`${id} can't be shown: ${error.message}\n`);
      })
      .finally(() => forwards.delete(forward));
    forwards.add(forward);
  }

  /** Shows the webhooks that came while there was no connection. */
  async function catchUp(): Promise<void> {
    const { data } = await untilServed(list, retrying);
    for (const { id } of data.toReversed()) if (known.add(id) && missed.add(id)) await show(id);
  }

  await followGateway(access, signal, async () => {
    const before = await untilServed(list, retrying, { reached: false });
    for (const { id } of before.data) known.add(id);
    for await (const { type, data } of followChanges(access, { ...retrying, onOpen })) {
      if (type === 'open') await catchUp();
      if (type !== 'event') continue;
      const id = String(data['id']);
      known.add(id);
      // A resent webhook has earlier attempts.
      if (data['attempts'] !== 0 || !missed.has(id)) await show(id);
    }
  });
  await Promise.all(forwards);
}

/** Addresses by event. `EVERY_EVENT` is the address of the other events. */
type Targets = ReadonlyMap<string, string>;

const EVERY_EVENT = '';
const parseEvent = parseName([...GOALS.keys()]);

/** Throws a UserError for an unknown event, an invalid address, or a second address. */
function parseTargets(texts: readonly string[]): Targets {
  const targets = new Map<string, string>();
  for (const text of texts) {
    // An address can't begin like this: its first = follows a colon, a slash or a question mark.
    const [, name, address = text] = /^([\w-]+)=(.*)$/s.exec(text) ?? [];
    const event = name === undefined ? EVERY_EVENT : parseArgument('The event of --forward-to', name, parseEvent);
    if (targets.has(event))
      throw new UserError(
        `--forward-to has two addresses for ${event || 'every event'}. Keep one, or write EVENT=URL, such as paymentFailed=localhost:3000/declined.`,
        2,
      );
    targets.set(event, readAddress('--forward-to', address, 'localhost:3000/webhooks'));
  }
  return targets;
}

function describeTargets(targets: Targets): string {
  const named = [...targets].map(([event, url]) => `${event === EVERY_EVENT ? '' : `${event} `}to ${url}`);
  return named.length === 0 ? '' : `, forwarding ${named.join(', ')}`;
}

/** Prints a webhook, forwards it, and prints the response. */
async function showWebhook(
  access: Access,
  id: string,
  { events, targets }: Pick<ListenOptions, 'events'> & { readonly targets: Targets },
  { terminal, retrying, json = false }: FollowedOutput & { readonly retrying: RetryOptions },
): Promise<void> {
  const { headers, body } = await untilServed(
    () => callSandbox(access, 'signEvent', { path: { event_id: id } }),
    retrying,
  );
  const parsed = JSON.parse(body) as WebhookBody;
  const event = webhookName(parsed) ?? parsed.status;
  if (events && !events.includes(event)) return;
  const { transaction_id } = parsed;
  if (json)
    terminal.out(jsonLine({ type: 'webhook', at: new Date().toISOString(), id, event, transaction_id, body: parsed }));
  else terminal.out(line(event, transaction_id, parsed.decline_reason, id));
  if (targets.size === 0) return;
  const url = targets.get(event) ?? targets.get(EVERY_EVENT);
  const forwarded = url === undefined ? { error: NOT_FORWARDED } : await deliver(url, headers, body);
  if (json) terminal.out(jsonLine({ type: 'forward', at: new Date().toISOString(), id, event, url, ...forwarded }));
  else terminal.out(line(event, `→ ${describe(forwarded)}`));
}

interface WebhookBody {
  readonly transaction_id: string;
  readonly status: string;
  readonly decline_reason?: string;
}

const NOT_FORWARDED = 'not forwarded: no --forward-to has an address for this event';

/** Outcome of a forwarded webhook: the response, or why there was none. */
interface Forwarded {
  readonly status?: number;
  readonly duration_ms?: number;
  readonly response?: string;
  readonly error?: string;
}

function line(...parts: readonly (string | undefined)[]): string {
  return `${printable([timeOfDay(), ...parts].filter(Boolean).join('  '))}\n`;
}

function describe({ status, duration_ms, response, error }: Forwarded): string {
  if (error === NOT_FORWARDED) return error;
  if (error !== undefined) return `no response: ${error}`;
  return [status, `${duration_ms} ms`, response].filter(Boolean).join('  ');
}

/** Sends a webhook, and returns what came back. */
async function deliver(url: string, headers: Record<string, string>, body: string): Promise<Forwarded> {
  const began = performance.now();
  try {
    const signal = AbortSignal.timeout(RESPOND_MS);
    const { status, ...response } = await forward(url, { method: 'POST', headers, body, redirect: 'manual', signal });
    return { status, duration_ms: Math.round(performance.now() - began), ...response };
  } catch (error) {
    const { cause, name, message } = error as Error & { cause?: { code?: string; message?: string } };
    const reason = cause?.code ?? cause?.message ?? message;
    return { error: name === 'TimeoutError' ? `none within ${RESPOND_MS / 1_000} s` : reason };
  }
}

async function forward(url: string, request: RequestInit): Promise<{ status: number; response?: string }> {
  const response = await fetch(url, request);
  const text = (await response.text()).trim().slice(0, RESPONSE_CHARS);
  return { status: response.status, ...(text !== '' && { response: text }) };
}
