/** Finds where a bundled document still has the placeholders of the brand. */
import { toPointer } from '../../contract/src/pointer.ts';
import { PLACEHOLDERS } from '../../openapi/lint/brand.ts';

/** The JSON pointers of the strings and keys that still contain a placeholder. */
export function unstampedPlaces(document: unknown, pointer = ''): string[] {
  if (typeof document === 'string') return isUnstamped(document) ? [pointer] : [];
  if (typeof document !== 'object' || document === null) return [];
  return Object.entries(document).flatMap(([key, value]) => {
    const place = pointer + toPointer(key);
    return [...(isUnstamped(key) ? [place] : []), ...unstampedPlaces(value, place)];
  });
}

function isUnstamped(text: string): boolean {
  return PLACEHOLDERS.some((placeholder) => text.includes(placeholder));
}
