/** Sends a response over the connection of its request. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { EventStream } from '../http/event-stream.ts';
import type { PlainResponse } from '../http/plain.ts';

/** The rest of such a body is not read. */
const BODY_TOO_LARGE = 413;

/** Ends the connection of a request. */
export function cutConnection(incoming: IncomingMessage): void {
  incoming.socket.destroy();
}

export function sendResponse(incoming: IncomingMessage, outgoing: ServerResponse, response: PlainResponse): void {
  const { status, body, cut } = response;
  if (cut === 'before' || (cut === 'midway' && typeof body !== 'string')) {
    cutConnection(incoming);
    return;
  }
  const headers: string[] = [];
  for (const name in response.headers) headers.push(name, response.headers[name] as string);
  if (body instanceof EventStream) {
    // Kept alive, its connection would hold up the end of the gateway until its client or a time limit closes it.
    headers.push('connection', 'close');
    outgoing.writeHead(status, headers);
    void sendStream(incoming, outgoing, body);
    return;
  }
  // Neither has a body, and no length of one (RFC 9110, 8.6).
  const isEmpty = status === 204 || status === 304;
  if (!isEmpty) headers.push('content-length', String(body === undefined ? 0 : Buffer.byteLength(body)));
  if (status === BODY_TOO_LARGE) headers.push('connection', 'close');
  outgoing.writeHead(status, headers);
  if (isEmpty || body === undefined || incoming.method === 'HEAD') outgoing.end();
  else if (cut === 'midway') sendHalf(outgoing, Buffer.from(body));
  else outgoing.end(body);
}

/** Sends half of the body that was announced, and ends the connection. */
function sendHalf(outgoing: ServerResponse, body: Buffer): void {
  outgoing.write(body.subarray(0, Math.floor(body.length / 2)), () => outgoing.destroy());
}

/** Sends a stream as fast as its client reads it, until either of them ends it. */
async function sendStream(incoming: IncomingMessage, outgoing: ServerResponse, stream: EventStream): Promise<void> {
  const closeStream = () => void stream.return();
  if (outgoing.destroyed || incoming.method === 'HEAD') {
    closeStream();
    outgoing.end();
    return;
  }
  outgoing.once('close', closeStream);
  stream.cutOff.addEventListener('abort', () => cutConnection(incoming));
  outgoing.flushHeaders();
  try {
    for await (const text of stream) if (!outgoing.write(text)) await drained(outgoing);
    outgoing.end();
  } catch {
    cutConnection(incoming);
  }
}

/** Resolves when the client has read what was written, or has gone. */
function drained(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      outgoing.off('drain', done).off('close', done);
      resolve();
    };
    outgoing.on('drain', done).on('close', done);
  });
}
