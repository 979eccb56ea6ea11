/** Text within XML and HTML. */

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
/** Characters that XML 1.0 doesn't allow, not even as references. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: removes these characters
const NOT_XML = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;

export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(NOT_XML, '\ufffd')
    .replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
