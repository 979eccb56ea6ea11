/** JSON that may not be JSON. */
import type { Json } from '../../../contract/src/model.ts';

/** The value; undefined if the text is not JSON. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
