/** Reads JSON bodies without changing them: what a database or a double cannot keep is refused. */
import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { NO_NUL } from '../../../contract/src/violations.ts';
import { invalid, type ProblemError } from '../wire/problems.ts';
import { parseExactly } from './exact-numbers.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The JSON body as it arrived; undefined without one, or if it was refused before all of it was read. */
    receivedBody: Buffer | undefined;
  }
}

/** UTF-8 cannot express one, so a database would keep something else. */
const NO_LONE_SURROGATE = 'must not contain a lone surrogate';

/** The escapes of a JSON text, one after the other; the group holds what cannot be kept. A whole surrogate pair can. */
const ESCAPES = /\\(?:u[dD][89abAB]..\\u[dD][c-fC-F]..|u(0000|[dD][89a-fA-F]..)|.)/gs;

/** Takes JSON as the only media type. */
export function takeJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.decorateRequest('receivedBody', undefined);
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    request.receivedBody = body;
    try {
      done(null, parseBody(body));
    } catch (error) {
      done(error as ProblemError);
    }
  });
}

function parseBody(body: Buffer): unknown {
  if (!isUtf8(body)) throw malformed('is not UTF-8');
  let value: unknown;
  try {
    value = parseExactly(body.toString());
  } catch {
    throw malformed('is not valid JSON');
  }
  if (body.includes('\\u')) refuseEscapes(body.toString('latin1'));
  return value;
}

function refuseEscapes(text: string): void {
  for (const [, refused] of text.matchAll(ESCAPES)) {
    if (refused !== undefined) throw malformed(refused === '0000' ? NO_NUL : NO_LONE_SURROGATE);
  }
}

function malformed(message: string): ProblemError {
  return invalid([{ in: 'body', pointer: '', message }]);
}
