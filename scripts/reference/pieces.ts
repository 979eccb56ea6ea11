/** Pieces of Markdown pages. */
import type { Scenario } from '../../gateway/src/channels/scenarios.ts';

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

/** Values as code, separated by commas. */
export function codes(values: readonly string[]): string {
  return values.map((value) => `\`${value}\``).join(', ');
}

/** The operation that creates a transaction of the kind. */
export const CREATES = { payment: 'createPayment', payout: 'createPayout' } as const;

/** A value with a special effect in a sandbox. The link opens the panel of the operation, with the value filled in. */
export function testValue({ kind, field, value }: Scenario): string {
  return `[\`${value}\`](${CREATES[kind]}.md?${field}=${value}#try-it)`;
}

export function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}
