/** A JSON pointer (RFC 6901) from its parts, with a leading slash. */
export function toPointer(...parts: (string | number)[]): string {
  return parts.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** The reference tokens of a JSON pointer (RFC 6901), decoded. A leading `#` is ignored. */
export function parsePointer(pointer: string): string[] {
  const [, ...tokens] = pointer.replace(/^#/, '').split('/');
  return tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}
