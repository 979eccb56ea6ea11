/** Reads the body of a response up to a limit. */

/** Responses of the contract have some kilobytes. */
const BODY_BYTES_MAX = 1_048_576;

/** Thrown for a success whose body is too large. */
export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge';
}

/** The parts of a response that openapi-fetch uses, with a limit on the body. */
export function limitResponse(response: Response): Response {
  const { ok, status, headers } = response;
  const text = () => readText(response);
  return { ok, status, headers, text, json: async () => JSON.parse(await text()) } as Response;
}

/** The text of a body. The body of an error ends at the limit; a success without its end is of no use. */
async function readText(response: Response): Promise<string> {
  const { body, headers, ok } = response;
  // A compressed body is longer than its header says.
  const length = headers.has('content-encoding') ? undefined : headers.get('content-length');
  if (!body || (length && Number(length) <= BODY_BYTES_MAX)) return response.text();
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let bytes = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.length;
    if (bytes > BODY_BYTES_MAX) {
      await reader.cancel();
      if (ok) throw new BodyTooLarge(`the body has more than ${BODY_BYTES_MAX} bytes`);
      return text;
    }
    text += decoder.decode(value, { stream: true });
  }
}
