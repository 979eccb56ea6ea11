/** Detects paths that rely on expansion by a shell or a driver, which a program would take literally. */

const VARIABLE = /\$(\w+|\{\w+\})/;
/** Longer than the letter of a drive, and followed by more than a backslash. */
const SCHEME = /^[a-z][a-z0-9+.-]+:(\/\/)?/i;

/** Describes a mistake in the path and its fix. Undefined for a plausible path. */
export function pathMistake(path: string, kind: 'file' | 'folder' = 'file'): string | undefined {
  const home = process.env['HOME'] ?? '/home/you';
  if (/^~(\/|$)/.test(path)) return `The shell didn't replace the ~. Write ${home}${path.slice(1)}.`;
  const [variable] = VARIABLE.exec(path) ?? [];
  if (variable) return `Nothing replaces ${variable} here. Write its value.`;
  if (SCHEME.test(path)) return `It is a URL. Write the path alone, such as ${path.replace(SCHEME, '')}.`;
  if (kind === 'file' && /[/\\]$/.test(path)) return `It is a folder. Add the name of a file.`;
  return undefined;
}
