/** Parses JSON of others: bodies of the service, and files. */
import type { Json } from '../../../contract/src/model.ts';

/** The value; undefined if the text is not JSON. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** Parses the JSON of a file, which editors on Windows begin with a byte order mark. Throws a SyntaxError. */
export function parseJsonFile(text: string): unknown {
  return JSON.parse(text.replace(/^\uFEFF/, ''));
}
