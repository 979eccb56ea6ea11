/** Sends webhooks with a function like `fetch`, where there are no sockets. */
import { clearTimeout, setTimeout } from '../platform/timers.ts';
import type { SendResult } from './retries.ts';
import { CUT_OFF, type OpenSender, readCredentials, SENDER_CLOSED, sentHeaders } from './sender.ts';

/** Sends a webhook and returns the endpoint's response. */
export type DeliverRequest = (request: Request) => Response | Promise<Response>;

const encoder = new TextEncoder();

/** Returns a function that opens senders. Redirects are not followed. */
export function fetchSender(deliver: DeliverRequest): OpenSender {
  return ({ answerWithinMs, bodyCharsKept = 0 }) => {
    const closing = new AbortController();
    const late: SendResult = { failure: `no response within ${answerWithinMs / 1_000} s` };
    return {
      async send(url, headers, body) {
        if (closing.signal.aborted) return SENDER_CLOSED;
        const ending = new AbortController();
        const { promise: ended, resolve: end } = Promise.withResolvers<SendResult>();
        const stop = (result: SendResult) => {
          end(result);
          ending.abort();
        };
        const timer = setTimeout(() => stop(late), answerWithinMs);
        const onClose = () => stop(CUT_OFF);
        closing.signal.addEventListener('abort', onClose);
        const exchanged = exchange(deliver, () => toRequest(url, headers, body, ending.signal), bodyCharsKept);
        return Promise.race([exchanged, ended]).finally(() => {
          clearTimeout(timer);
          closing.signal.removeEventListener('abort', onClose);
        });
      },
      close: () => closing.abort(),
    };
  };
}

/** `Request` refuses URLs with credentials, so they become a header. */
function toRequest(
  address: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  signal: AbortSignal,
): Request {
  const url = new URL(address);
  const all = sentHeaders({ ...readCredentials(url), ...headers }, encoder.encode(body).length);
  Object.assign(url, { username: '', password: '' });
  return new Request(url, { method: 'POST', headers: all, body, redirect: 'manual', signal });
}

async function exchange(
  deliver: DeliverRequest,
  makeRequest: () => Request,
  bodyCharsKept: number,
): Promise<SendResult> {
  try {
    const response = await deliver(makeRequest());
    // Browsers hide the status of a redirect.
    if (response.type === 'opaqueredirect') return { failure: 'responded with a redirect' };
    const { status } = response;
    if (bodyCharsKept === 0) {
      await response.body?.cancel();
      return { status };
    }
    return { status, body: await readBeginning(response, bodyCharsKept).catch(() => undefined) };
  } catch (error) {
    return { failure: `no response: ${error instanceof Error ? error.name : 'an error'}`, detail: String(error) };
  }
}

async function readBeginning({ body }: Response, chars: number): Promise<string> {
  if (!body) return '';
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader();
  let text = '';
  while (text.length < chars) {
    const { done, value } = await reader.read();
    if (done) return text;
    text += value;
  }
  await reader.cancel();
  // The end may split a pair of surrogates.
  return text.slice(0, chars).toWellFormed();
}
