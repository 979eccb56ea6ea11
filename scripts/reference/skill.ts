/** The guide for coding agents: a page like the others, whose Markdown has the front matter by which agents find a skill. */
import { readFileSync } from 'node:fs';
import { expandInstallation } from '../artifacts/installation.ts';
import type { Page } from './page.ts';
import { firstLine } from './pieces.ts';

const NAME = 'SKILL';

/** The file that agents load. */
export const SKILL_FILE = `${NAME}.md`;

/** The guide with its front matter. */
export function skillText(): string {
  return expandInstallation(readFileSync(new URL(SKILL_FILE, import.meta.url), 'utf8'));
}

export function skillPage(): Page {
  const [, , text = ''] = skillText().split(/^---\n/m);
  const body = text.trim();
  const title = firstLine(body);
  const markdown = body.slice(title.length).trim();
  return {
    name: NAME,
    title: title.replace('# ', ''),
    summary: 'For coding agents, with a check for each step',
    markdown,
  };
}
