/** Comparison of secrets. */
import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares in constant time, so that the time doesn't reveal how much is right. */
export function isSameSecret(given: string, expected: string): boolean {
  const [a, b] = [given, expected].map((text) => createHash('sha256').update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}
