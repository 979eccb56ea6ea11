/** Follows what happens to a merchant, over server-sent events. */
import { setTimeout as pause } from 'node:timers/promises';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { type Access, requestTarget, SandboxError } from './client.ts';

/** Something has changed; what it is about is in the data. */
export interface StreamedChange {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface FollowOptions {
  readonly signal: AbortSignal;
  /** Called when the connection is up, again after each time that it was lost. */
  readonly onOpen?: () => void;
  /** Called when the connection is lost, with the milliseconds until the next attempt. */
  readonly onLost?: (retryMs: number) => void;
}

const RETRY_MS = { first: 500, max: 10_000 };

/**
 * Changes as they come, until the signal is aborted. A lost connection is opened again. Throws if the gateway can't be
 * reached at first, and a SandboxError if it refuses the key.
 */
export async function* followChanges(access: Access, options: FollowOptions): AsyncGenerator<StreamedChange> {
  const { signal, onLost } = options;
  let opened = false;
  let lastId = '';
  for (let failures = 0; !signal.aborted; failures++) {
    try {
      for await (const { event = 'message', data, id } of await open(access, lastId, signal)) {
        if (!opened || failures > 0) options.onOpen?.();
        opened = true;
        failures = 0;
        lastId = id ?? lastId;
        if (data !== '') yield { type: event, data: JSON.parse(data) as StreamedChange['data'] };
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!opened || error instanceof SandboxError) throw error;
    }
    if (signal.aborted) return;
    const retryMs = Math.min(RETRY_MS.first * 2 ** failures, RETRY_MS.max);
    onLost?.(retryMs);
    await pause(retryMs, undefined, { signal }).catch(() => undefined);
  }
}

interface Message {
  readonly event?: string | undefined;
  readonly id?: string | undefined;
  readonly data: string;
}

async function open({ url, key }: Access, lastId: string, signal: AbortSignal): Promise<ReadableStream<Message>> {
  const response = await fetch(`${url}${requestTarget('sandbox', 'streamChanges')}`, {
    headers: {
      authorization: `Bearer ${key}`,
      accept: 'text/event-stream',
      ...(lastId !== '' && { 'last-event-id': lastId }),
    },
    signal,
  });
  if (!response.ok || !response.body) {
    const problem = (await response.json().catch(() => ({}))) as { detail?: string };
    throw new SandboxError(
      `${response.status}, ${problem.detail ?? 'no explanation'}`,
      response.status,
      problem as Record<string, unknown>,
    );
  }
  return response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
}
