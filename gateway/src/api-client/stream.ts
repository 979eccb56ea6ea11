/** Follows the changes of a merchant over server-sent events. */
import { setTimeout as pause } from 'node:timers/promises';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { type Access, ApiError, readRefusal, requestTarget } from './client.ts';

/** A change; the data describes it. */
interface StreamedChange {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A pause before a retry. */
export interface Wait {
  readonly reason: string;
  readonly ms: number;
}

export interface RetryOptions {
  readonly signal: AbortSignal;
  /** Called before each wait. */
  readonly onWait?: ((wait: Wait) => void) | undefined;
}

interface FollowOptions extends RetryOptions {
  /** Called when the connection is open, again after each time that it was lost. */
  readonly onOpen?: () => void;
}

const BACKOFF_MS = { first: 500, max: 10_000 };
/** The longest `Retry-After` that is waited for at once. */
const RETRY_AFTER_MS_MAX = 60_000;

/**
 * Yields changes until the signal is aborted. Opens a lost connection again, and waits while the gateway restarts or refuses
 * with 429. Throws if the gateway can't be reached at first, and an ApiError for any other refusal.
 */
export async function* followChanges(access: Access, options: FollowOptions): AsyncGenerator<StreamedChange> {
  const { signal } = options;
  let opened = false;
  for (let failures = 0; !signal.aborted; failures++) {
    let failure: unknown;
    try {
      for await (const { event = 'message', data } of await open(access, signal)) {
        if (!opened || failures > 0) options.onOpen?.();
        opened = true;
        failures = 0;
        if (data !== '') yield { type: event, data: JSON.parse(data) as StreamedChange['data'] };
      }
    } catch (error) {
      failure = error;
      if (!signal.aborted && !isTemporary(error, opened)) throw error;
    }
    if (!signal.aborted) await waitAfter(failure, failures, options);
  }
}

/**
 * Repeats work while the gateway restarts or refuses with 429. Rejects once the signal is aborted, and if a gateway that
 * wasn't reached before can't be reached.
 */
export async function untilServed<T>(
  work: () => Promise<T>,
  options: RetryOptions,
  { reached = true } = {},
): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await work();
    } catch (error) {
      if (options.signal.aborted || !isTemporary(error, reached)) throw error;
      await waitAfter(error, failures, options);
    }
  }
}

/** `fetch` rejects with a TypeError if there is no response, or if it breaks off. */
function isTemporary(error: unknown, reached: boolean): boolean {
  if (error instanceof ApiError) return error.status === 429 || error.status >= 500;
  return reached && error instanceof TypeError;
}

async function waitAfter(failure: unknown, failures: number, { signal, onWait }: RetryOptions): Promise<void> {
  const backoffMs = Math.min(BACKOFF_MS.first * 2 ** failures, BACKOFF_MS.max);
  const refusal = failure instanceof ApiError ? failure : undefined;
  const ms = Math.max(backoffMs, Math.min(refusal?.retryAfterMs ?? 0, RETRY_AFTER_MS_MAX));
  onWait?.({ reason: refusal ? `the gateway responds with ${refusal.status}` : 'the connection was lost', ms });
  await pause(ms, undefined, { signal }).catch(() => undefined);
}

interface Message {
  readonly event?: string | undefined;
  readonly data: string;
}

async function open({ url, key }: Access, signal: AbortSignal): Promise<ReadableStream<Message>> {
  const response = await fetch(`${url}${requestTarget('management', 'streamChanges')}`, {
    headers: { authorization: `Bearer ${key}`, accept: 'text/event-stream' },
    signal,
  });
  if (!response.ok || !response.body) throw await readRefusal('streamChanges', response);
  return response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
}
