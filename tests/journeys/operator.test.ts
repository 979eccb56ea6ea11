/** Checks docs/operations.md and docs/operations/accounting.md quickly: each shell block parses. operator.long.test.ts runs them. */
import { expect, it } from 'vitest';
import { run } from '../../scripts/tools/process.ts';
import { NOT_RUN } from './operator.ts';
import { Document } from './tools/document.ts';

const document = new Document('docs/operations.md');
const accounting = new Document('docs/operations/accounting.md');
const blocks = [...document.blocks, ...accounting.blocks]
  .filter(({ language }) => language === 'sh')
  .map(({ text }) => text);

it.each(blocks)('a shell can read: %s', async (text) => {
  expect(await run('bash', ['-n', '-c', text], { allowFailure: true })).toMatchObject({ code: 0, stderr: '' });
});

it.each(Object.entries(NOT_RUN))('one block has %s', (part) => {
  expect(() => document.take(part, 'sh')).not.toThrow();
});
