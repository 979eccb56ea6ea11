/** A message of a merchant, signed and sent once. */
import type { Services } from '../operations/operation.ts';
import { systemTimers } from '../platform/timers.ts';
import type { AttemptRecord } from '../store/webhook-attempts.ts';
import { type Sender, sentHeaders } from './deliver.ts';
import type { AttemptFault } from './faults.ts';
import type { Reply } from './retries.ts';
import { type Message, type Signer, Unsigned } from './signer.ts';

/** A message with the address that gets it. */
export interface AddressedMessage extends Message {
  readonly url: string;
}

export interface SentMessage {
  /** By the merchant's clock, in milliseconds since 1970. */
  readonly at: number;
  /** How long it took. */
  readonly ms: number;
  readonly reply: Reply;
  /** Missing if it was not sent. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly bodyBytes: number;
  readonly fault?: AttemptFault | undefined;
}

export interface MessageSender {
  /** Signs and sends a message, with the faults. */
  send(message: AddressedMessage, faults?: readonly AttemptFault[]): Promise<SentMessage>;
  /** Sends it again as it was sent before. */
  repeat(message: AddressedMessage, headers: Readonly<Record<string, string>>): Promise<SentMessage>;
}

const DROPPED: Reply = { failure: 'not sent: dropped by a webhook fault' };

/** Makes a sender of messages. */
export function createMessageSender(
  { time }: Pick<Services, 'time'>,
  signer: Pick<Signer, 'sign'>,
  send: Sender['send'],
  timers = systemTimers,
): MessageSender {
  async function measure(
    { merchantId, body }: AddressedMessage,
    fault: AttemptFault | undefined,
    work: () => Promise<Pick<SentMessage, 'reply' | 'headers'>>,
  ): Promise<SentMessage> {
    const at = time.at(merchantId).now;
    const began = timers.elapsed();
    const result = await work();
    const ms = Math.round(timers.elapsed() - began);
    return { at, ms, bodyBytes: Buffer.byteLength(body), fault, ...result };
  }

  return {
    send(message, faults = []) {
      return measure(
        message,
        faults.find((fault) => fault !== 'duplicate'),
        async () => {
          const headers = await signer.sign(message, faults);
          if (headers instanceof Unsigned) return { reply: headers };
          if (faults.includes('drop')) return { reply: DROPPED };
          return { headers, reply: await send(message.url, headers, message.body) };
        },
      );
    },
    repeat: (message, headers) =>
      measure(message, 'duplicate', async () => ({ headers, reply: await send(message.url, headers, message.body) })),
  };
}

/** A sent message as it is written down. */
export function recordOf({ at, ms, reply, headers, bodyBytes, fault }: SentMessage): AttemptRecord {
  return {
    at,
    durationMs: ms,
    requestHeaders: headers ? sentHeaders(headers, bodyBytes) : {},
    ...('status' in reply ? { status: reply.status } : { error: reply.failure }),
    ...('status' in reply && reply.body !== undefined && { responseBody: reply.body }),
    ...(fault !== undefined && { fault }),
  };
}
