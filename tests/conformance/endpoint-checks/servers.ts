/** Webhook endpoints to try the kit on: valid ones, and ones with a defect. */
import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { listenOnLoopback } from '../../tools/loopback.ts';

export const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly request: IncomingMessage;
}

/** Returns the status, or undefined to give no response. */
export type Endpoint = (received: Received) => number | undefined | Promise<number | undefined>;

/** Listens until `close`. */
export async function listen(endpoint: Endpoint, read: typeof readBody = readBody) {
  const server = createServer(async (request, response) => {
    try {
      const body = await read(request);
      const status = await endpoint({ headers: request.headers, body, request });
      if (status !== undefined) response.writeHead(status, { 'retry-after': '0' }).end();
    } catch (error) {
      // As frameworks respond to an uncaught error.
      response.writeHead(500).end((error as Error).message);
    }
  });
  const { url, close } = await listenOnLoopback(server);
  return { url: `${url}/webhooks`, close };
}

/** Keeps a byte order mark, unlike `text` of node:stream/consumers. */
export async function readBody(request: IncomingMessage): Promise<string> {
  return (await buffer(request)).toString();
}

/** With a library that doesn't know this contract. */
export const withLibrary: Endpoint = ({ headers, body }) => {
  try {
    new Webhook(SECRET).verify(body, headers as Record<string, string>);
    return 200;
  } catch {
    return 401;
  }
};

/** Says now and then that it is busy, whatever comes. */
export function oftenBusy(endpoint: Endpoint): Endpoint {
  let count = 0;
  return (received) => {
    count += 1;
    return count % 3 === 0 ? 429 : endpoint(received);
  };
}

export interface Habits {
  /** The signed content. */
  readonly content: (received: Received) => string;
  readonly signatures: (header: string) => string[];
  readonly isEqual: (expected: string, given: string) => boolean;
  readonly isTimely: (timestamp: string) => boolean;
  /** Status for a delivery without a signature. */
  readonly unsigned: number;
  /** Handles a genuine event. Returns the status. */
  readonly take: (body: string, headers: IncomingHttpHeaders) => number;
}

/** Written by hand from the valid, which shows the branded header. */
const HABITS: Habits = {
  content: ({ headers, body }) => `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`,
  signatures: (header) => header.split(' '),
  isEqual: (expected, given) => expected === given,
  isTimely: (timestamp) => /^\d{10}$/.test(timestamp) && Math.abs(Date.now() / 1_000 - Number(timestamp)) <= 300,
  unsigned: 401,
  take: () => 202,
};

/** An endpoint written by hand, with other habits than the valid ones. */
export function byHand(changes: Partial<Habits> = {}): Endpoint {
  const habits = { ...HABITS, ...changes };
  return (received) => {
    const { headers, body } = received;
    const header = headers['x-gateway-signature'];
    if (typeof header !== 'string' || header === '') return habits.unsigned;
    if (!headers['webhook-id'] || !habits.isTimely(String(headers['webhook-timestamp']))) return 401;
    const expected = sign(habits.content(received));
    if (!habits.signatures(header).some((given) => habits.isEqual(expected, given))) return 401;
    return habits.take(body, headers);
  };
}

function sign(content: string): string {
  const key = Buffer.from(SECRET.slice('whsec_'.length), 'base64');
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
}
