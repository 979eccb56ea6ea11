/**
 * Handles input that is invalid HTTP or never ends. It gets the contract's problem over the raw socket, which then
 * closes.
 */

import { maxHeaderSize } from 'node:http';
import type { Socket } from 'node:net';
import type { Violation } from '../../../generated/types.ts';
import type { WireContract } from '../http/contract.ts';
import { PROBLEM_TYPE } from '../http/errors.ts';
import { invalid, problemBody } from '../http/problems.ts';
import { REQUEST_ID, RESPONSE_HEADERS } from '../http/responses.ts';
import type { Log } from '../platform/log.ts';
import { clearTimeout, setTimeout } from '../platform/native-timers.ts';
import type { Pipelines } from './pipelines.ts';

type ClientError = Error & { readonly code?: string };

/** Node's own errors by their code. */
const MALFORMED: Readonly<Record<string, Omit<Violation, 'pointer'>>> = {
  HPE_HEADER_OVERFLOW: { in: 'header', message: `must be at most ${maxHeaderSize} bytes in all` },
  HPE_INVALID_CHUNK_SIZE: { in: 'body', message: 'has a chunk without a valid size' },
  ERR_HTTP_REQUEST_TIMEOUT: { in: 'header', message: 'did not arrive in time' },
};
const NOT_HTTP = { in: 'header', message: 'is not valid HTTP/1.1' } as const;

/** The client has this long to read the response and to end its side. */
const LINGER_MS = 1_000;

/** Responds on a socket whose bytes Node could not read. */
export function respondToMalformed(
  contract: WireContract,
  newRequestId: () => string,
  log: Log,
  pipelines: Pick<Pipelines, 'whenAnswered'>,
): (error: ClientError, socket: Socket) => void {
  const ending = new WeakSet<Socket>();
  const respond = (error: ClientError, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const violation = { pointer: '', ...(MALFORMED[error.code ?? ''] ?? NOT_HTTP) };
    const requestId = newRequestId();
    const problem = problemBody(contract, invalid([violation]), requestId);
    const body = JSON.stringify(problem);
    const headers = {
      ...RESPONSE_HEADERS,
      [REQUEST_ID]: requestId,
      'content-type': PROBLEM_TYPE,
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    };
    const head = [
      `HTTP/1.1 ${problem.status} Bad Request`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ];
    endGently(socket, `${head.join('\r\n')}\r\n\r\n${body}`);
    // Not measured: where the body is at fault, its request has begun and is measured when it ends.
    log.info({ request_id: requestId, status: problem.status, reason: error.code }, 'refused what is not HTTP');
  };
  return (error, socket) => {
    // Ignores further unreadable input.
    if (ending.has(socket)) return;
    ending.add(socket);
    socket.pause();
    // The requests before it are served, and their responses come first.
    pipelines.whenAnswered(socket, () => respond(error, socket));
  };
}

/** Sends the last of a connection. To close it while bytes still arrive would reset it, and the client would lose what was sent. */
function endGently(socket: Socket, text: string): void {
  const late = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(late));
  socket.once('end', () => socket.destroy());
  socket.end(text);
  socket.resume();
}
