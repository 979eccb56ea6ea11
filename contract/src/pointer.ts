/** A JSON pointer (RFC 6901) from its parts, with a leading slash. */
export function pointerOf(...parts: (string | number)[]): string {
  return parts.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
