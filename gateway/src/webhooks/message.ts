/** A message of a merchant, signed and sent once. */
import type { Services } from '../operations/operation.ts';
import { systemTimers } from '../platform/timers.ts';
import type { LoggedAttempt } from '../store/outbox/attempt-log.ts';
import type { AttemptRecord } from '../store/outbox/webhook-attempts.ts';
import type { Reply } from './retries.ts';
import { type Sender, sentHeaders } from './sender.ts';
import { type Message, type Signer, Unsigned } from './signer.ts';

const UTF8 = new TextEncoder();

/** A message with the address that gets it. */
export interface AddressedMessage extends Message {
  readonly url: string;
}

export interface SentMessage {
  /** By the merchant's clock, in milliseconds since 1970. */
  readonly at: number;
  /** Duration. */
  readonly ms: number;
  readonly reply: Reply;
  /** Missing if it was not sent. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly bodyBytes: number;
  /** The fault that was simulated, see Detour. */
  readonly fault?: string | undefined;
}

export interface MessageSender {
  /** Signs and sends a message. */
  send(message: AddressedMessage): Promise<SentMessage>;
}

/** Makes a sender of messages. */
export function createMessageSender(
  { time }: Pick<Services, 'time'>,
  signer: Pick<Signer, 'sign'>,
  send: Sender['send'],
  timers = systemTimers,
): MessageSender {
  return {
    async send(message) {
      const { url, merchantId, body } = message;
      const at = time.at(merchantId).now;
      const began = timers.elapsed();
      const headers = await signer.sign(message);
      const result =
        headers instanceof Unsigned ? { reply: headers } : { headers, reply: await send(url, headers, body) };
      const ms = Math.round(timers.elapsed() - began);
      return { at, ms, bodyBytes: UTF8.encode(body).length, ...result };
    },
  };
}

/** A sent message as the log of its event has it. */
export function loggedAttempt({ at, ms, reply }: SentMessage): LoggedAttempt {
  return { at, durationMs: ms, ...('status' in reply ? { status: reply.status } : { error: reply.failure }) };
}

/** A sent message with its headers, and with the beginning of the response if that was kept. */
export function recordOf(sent: SentMessage): AttemptRecord {
  const { reply, headers, bodyBytes, fault } = sent;
  return {
    ...loggedAttempt(sent),
    requestHeaders: headers ? sentHeaders(headers, bodyBytes) : {},
    ...('status' in reply && reply.body !== undefined && { responseBody: reply.body }),
    ...(fault !== undefined && { fault }),
  };
}
