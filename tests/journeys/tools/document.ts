/** The code blocks of a Markdown document, each of which a journey must follow. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { marked, type Token, type Tokens } from 'marked';
import { ROOT } from '../../../scripts/tools/process.ts';

/** The languages of blocks that a reader runs or compiles. */
const RUNNABLE: readonly string[] = ['sh', 'ts', 'js'];

export interface Block {
  /** As written after the fence, such as `sh`; empty without one. */
  readonly language: string;
  readonly text: string;
  /** The headings above it, from the title down. */
  readonly headings: readonly string[];
}

/** A document that tracks which blocks a journey has followed. */
export class Document {
  readonly blocks: readonly Block[];
  readonly #file: string;
  readonly #followed = new Set<Block>();

  /** `file` is relative to the root of the repository. */
  constructor(file: string) {
    this.#file = file;
    this.blocks = parseBlocks(readFileSync(join(ROOT, file), 'utf8'));
  }

  /** The text of the only block with `part`, marked as followed. */
  take(part: string, language?: string): string {
    const found = this.blocks.filter(
      (block) => block.text.includes(part) && (language === undefined || block.language === language),
    );
    const [block] = found;
    if (!block || found.length > 1) throw new Error(`${this.#file} has ${found.length} blocks with: ${part}`);
    this.#followed.add(block);
    return block.text;
  }

  /** Returns the first lines of the blocks without a test. A journey expects none at its end. */
  leftOut(): string[] {
    return this.blocks
      .filter((block) => RUNNABLE.includes(block.language) && !this.#followed.has(block))
      .map(({ text }) => text.slice(0, text.indexOf('\n')));
  }
}

function parseBlocks(markdown: string): Block[] {
  const headings: string[] = [];
  const blocks: Block[] = [];
  const visit = (tokens: readonly Token[]) => {
    for (const token of tokens) {
      if (token.type === 'heading') headings.splice(token.depth - 1, Number.POSITIVE_INFINITY, token.text);
      else if (token.type === 'code') {
        blocks.push({ language: token.lang ?? '', text: `${token.text}\n`, headings: headings.filter(Boolean) });
      } else if (token.type === 'list') for (const item of (token as Tokens.List).items) visit(item.tokens);
    }
  };
  visit(marked.lexer(markdown));
  return blocks;
}
