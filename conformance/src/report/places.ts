/** Places of the document, also behind references. */
import { type Bundle, resolve } from '../../../contract/src/model.ts';
import { parsePointer } from '../../../contract/src/pointer.ts';

/** The value at a JSON pointer; references on the way are followed, and one at its end is not. */
export function placeAt(bundle: Bundle, pointer: string): object {
  let node: unknown = bundle;
  for (const name of parsePointer(pointer)) {
    node = (resolve(bundle, node as object) as Record<string, unknown>)[name];
    if (node === undefined) throw new Error(`${pointer} does not exist`);
  }
  return node as object;
}

/** The assumptions of the place and of its reference. */
export function assumptionsAt(bundle: Bundle, pointer: string): string[] {
  const place = placeAt(bundle, pointer);
  const marks = [place, resolve(bundle, place)].map((node) => (node as Marked)['x-assumption'] ?? []);
  return [...new Set(marks.flat())];
}

interface Marked {
  readonly 'x-assumption'?: string | string[];
}
