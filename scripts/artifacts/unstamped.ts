/** Finds where a bundled document still has the placeholder for the service's short name. */
import { pointerOf } from '../../contract/src/pointer.ts';
import { PLACEHOLDER } from '../../openapi/lint/brand.ts';

/** The JSON pointers of the strings and keys that still contain the placeholder. */
export function unstampedPlaces(document: unknown, pointer = ''): string[] {
  if (typeof document === 'string') return document.includes(PLACEHOLDER) ? [pointer] : [];
  if (typeof document !== 'object' || document === null) return [];
  return Object.entries(document).flatMap(([key, value]) => {
    const place = pointer + pointerOf(key);
    return [...(key.includes(PLACEHOLDER) ? [place] : []), ...unstampedPlaces(value, place)];
  });
}
