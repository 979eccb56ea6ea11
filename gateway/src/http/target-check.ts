/**
 * Refuses ambiguous paths. A proxy that denies a path may let it pass with an encoded letter, or after a dot segment
 * with an encoded slash.
 */
import type { Violation } from '../../../generated/types.ts';

/** Escapes of unreserved characters, of separators and of controls. */
const NEEDLESS = /%(?:[01].|2[def]|3\d|4[1-9a-f]|5[0-9acf]|6[1-9a-f]|7[0-9aef])/i;
const DOT_SEGMENT = /\/\.\.?(?:\/|$)/;

const UNCLEAR = 'must have no dot segments, no backslashes, and no percent-encoded slashes, letters or digits';

/** The violation of a target, as sent. */
export function findTargetViolation(target: string): Violation | undefined {
  if (!/[%\\]|\/\./.test(target)) return undefined;
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '');
  if (path.includes('\\') || NEEDLESS.test(path) || DOT_SEGMENT.test(path)) {
    return { in: 'path', pointer: '', message: UNCLEAR };
  }
  try {
    decodeURIComponent(path);
    return undefined;
  } catch {
    return { in: 'path', pointer: '', message: 'must be valid percent-encoding of UTF-8' };
  }
}
