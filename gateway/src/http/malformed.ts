/**
 * What is not even HTTP, or never comes to its end, does not become a request. It gets the contract's problem all the
 * same, over the bare socket, which then ends.
 */
import { type IncomingMessage, maxHeaderSize, type ServerOptions } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Violation } from '../../../generated/types.ts';
import type { Contract } from '../contract/contract.ts';
import { invalid, problemBody } from '../contract/problems.ts';
import { newId } from '../platform/ids.ts';
import { PROBLEM_TYPE } from './errors.ts';

type ClientError = Error & { readonly code?: string };

/** Node's own errors by their code. */
const MALFORMED: Readonly<Record<string, Omit<Violation, 'pointer'>>> = {
  HPE_HEADER_OVERFLOW: { in: 'header', message: `must be at most ${maxHeaderSize} bytes in all` },
  HPE_INVALID_CHUNK_SIZE: { in: 'body', message: 'has a chunk without a valid size' },
  ERR_HTTP_REQUEST_TIMEOUT: { in: 'header', message: 'did not arrive in time' },
};
const NOT_HTTP = { in: 'header', message: 'is not valid HTTP/1.1' } as const;
const NO_HOST = { in: 'header', pointer: '/host', message: 'is missing' } as const;

/** Looks for what is late this many times in the time that it has. */
const CHECKS = 4;

/** Node's settings under which nothing is answered but by this gateway, and the time limits hold. */
export function strictHttp(timeLimitMs: number): ServerOptions {
  return { requireHostHeader: false, connectionsCheckingInterval: Math.ceil(timeLimitMs / CHECKS) };
}

/** Answers on a socket whose bytes Node could not read. */
export function answerMalformed(contract: Contract, now: () => number): (error: ClientError, socket: Socket) => void {
  return (error, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const violation = { pointer: '', ...(MALFORMED[error.code ?? ''] ?? NOT_HTTP) };
    const problem = problemBody(contract, invalid([violation]), newId('req', now()));
    const body = JSON.stringify(problem);
    const head = [
      `HTTP/1.1 ${problem.status} Bad Request`,
      `content-type: ${PROBLEM_TYPE}`,
      `content-length: ${Buffer.byteLength(body)}`,
      'connection: close',
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
  };
}

/** What Node would answer by itself, without a problem. */
export function refuseMalformed(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    const lacksHost = raw.headers.host === undefined && raw.httpVersion !== '1.0';
    done(lacksHost ? invalid([NO_HOST]) : undefined);
  });
  // An expectation that nobody knows may be left unmet (RFC 9110, 10.1.1).
  app.server.on('checkExpectation', (request: IncomingMessage, response) =>
    app.server.emit('request', request, response),
  );
}
