/** Names a character that must not be in a text, for errors that must not quote the text, since it may be a secret. */

/** Such as `U+000A at position 12`; undefined if the text has none. */
export function findCharacter(text: string, unwanted: RegExp): string | undefined {
  const position = text.search(unwanted);
  if (position < 0) return undefined;
  return `U+${text.charCodeAt(position).toString(16).toUpperCase().padStart(4, '0')} at position ${position}`;
}
