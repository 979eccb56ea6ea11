/** Pieces of Markdown pages. */

/** Adds a heading, unless the content is empty. */
export function section(title: string, content: string | false | undefined, level = 2): string {
  return content ? `${'#'.repeat(level)} ${title}\n\n${content}` : '';
}

/** A block of code. Blocks with labels that follow one another are tabs of the site. */
export function fenced(language: string, source: string, label?: string): string {
  return `\`\`\`${language}${label ? ` [${label}]` : ''}\n${source.trimEnd()}\n\`\`\``;
}

export function joined(parts: readonly (string | false | undefined)[], separator = '\n\n'): string {
  return parts.filter(Boolean).join(separator);
}

export function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}
