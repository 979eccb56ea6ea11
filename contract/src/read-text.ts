import type { IncomingMessage } from 'node:http';

/** The body as text, or undefined if it is too large; then the rest is read and dropped, so that the response arrives. */
export async function readBodyText(request: IncomingMessage, bytesMax: number): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= bytesMax) chunks.push(chunk);
  }
  return bytes > bytesMax ? undefined : Buffer.concat(chunks).toString();
}
