/** The body of a webhook as bytes, up to a limit. */
import { utf8 } from '../../../contract/src/webhook-signature.ts';
import { WebhookError } from './errors.ts';

/** A body as the frameworks give it: complete, or as a stream, such as `request.body` or Node's request. */
export type RawBody = string | Uint8Array | ArrayBuffer | AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>;

/** Events have some kilobytes. */
const BODY_BYTES_MAX = 1_048_576;

/** Rejects with BODY_NOT_RAW or BODY_TOO_LARGE. */
export async function readBody(body: RawBody | null | undefined): Promise<Uint8Array> {
  const bytes = isStream(body) ? await readStream(body) : toBytes(body);
  checkSize(bytes.length);
  return bytes;
}

function isStream(body: RawBody | null | undefined): body is AsyncIterable<Uint8Array> {
  return typeof Object(body)[Symbol.asyncIterator] === 'function';
}

async function readStream(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    checkSize(size);
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

function toBytes(body: RawBody | null | undefined): Uint8Array {
  if (typeof body === 'string') return utf8(body);
  // Not by instanceof, since one from another realm, such as a frame, is as good.
  if (Object(body)[Symbol.toStringTag] === 'ArrayBuffer') return new Uint8Array(body as ArrayBuffer);
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  throw new WebhookError('BODY_NOT_RAW', `The body is of type ${typeof body}, not a string, bytes or a stream`);
}

function checkSize(bytes: number): void {
  if (bytes > BODY_BYTES_MAX) {
    throw new WebhookError('BODY_TOO_LARGE', `The body has more than ${BODY_BYTES_MAX} bytes`);
  }
}
