/** `listen`: shows a merchant's webhooks as they come, and forwards each to an address that the gateway may not reach. */
import { printable } from '../../../../contract/src/printable.ts';
import { webhookName } from '../../../../generated/webhooks.ts';
import { type Access, callSandbox } from '../../sandbox-client/client.ts';
import { followChanges } from '../../sandbox-client/stream.ts';
import { type Following, readAddress, talking, timeOfDay } from './access.ts';

export interface ListenOptions {
  /** Address or port to forward to. */
  readonly forwardTo?: string;
  /** Names of webhooks; all without it. */
  readonly events?: readonly string[];
}

/** Time for an endpoint to respond, as for the gateway's own attempts. */
const RESPOND_MS = 15_000;

/** Shows and forwards webhooks until the signal is aborted. */
export async function listen(access: Access, options: ListenOptions, following: Following): Promise<void> {
  const { terminal, signal } = following;
  const { events } = options;
  const forwardTo =
    options.forwardTo === undefined
      ? undefined
      : readAddress('--forward-to', options.forwardTo, 'localhost:3000/webhooks');
  const onOpen = () =>
    terminal.err(`listening to ${access.url}${forwardTo ? `, forwarding to ${forwardTo}` : ''}. Stop with Ctrl+C.\n`);
  const onLost = (ms: number) => terminal.err(`the connection was lost; trying again in ${ms / 1_000} s\n`);
  const forwards = new Set<Promise<void>>();
  await talking(access, async () => {
    for await (const { type, data } of followChanges(access, { signal, onOpen, onLost })) {
      if (type !== 'event') continue;
      // One slow response holds up no other event.
      const forward = show(String(data['id'])).finally(() => forwards.delete(forward));
      forwards.add(forward);
    }
  });
  await Promise.all(forwards);

  async function show(id: string): Promise<void> {
    const { headers, body } = await callSandbox(access, 'signEvent', { path: { event_id: id } });
    const parsed = JSON.parse(body) as { transaction_id: string; status: string; decline_reason?: string };
    const name = webhookName(parsed) ?? parsed.status;
    if (events && !events.includes(name)) return;
    const line = [timeOfDay(), name, parsed.transaction_id, parsed.decline_reason, id].filter(Boolean).join('  ');
    terminal.out(`${printable(line)}\n`);
    if (forwardTo !== undefined)
      terminal.out(`${printable(`${timeOfDay()}  ${name}  → ${await deliver(forwardTo, headers, body)}`)}\n`);
  }
}

/** Sends a webhook, and says what came back. */
async function deliver(url: string, headers: Record<string, string>, body: string): Promise<string> {
  const began = performance.now();
  const took = () => `${Math.round(performance.now() - began)} ms`;
  try {
    const signal = AbortSignal.timeout(RESPOND_MS);
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
    const text = (await response.text()).trim();
    return `${response.status}  ${took()}${text === '' ? '' : `  ${text.slice(0, 200)}`}`;
  } catch (error) {
    const { cause, name, message } = error as Error & { cause?: { code?: string; message?: string } };
    const reason = cause?.code ?? cause?.message ?? message;
    return `no response: ${name === 'TimeoutError' ? `none within ${RESPOND_MS / 1_000} s` : reason}`;
  }
}
