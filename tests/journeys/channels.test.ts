/** Checks docs/channels.md quickly: each shell block parses, and the table lists each call. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT, run } from '../../scripts/tools/process.ts';
import { SIMULATOR } from '../gateway/harness/channels.ts';
import { Document } from './tools/document.ts';

const FILE = 'docs/channels.md';
const blocks = new Document(FILE).blocks.filter(({ language }) => language === 'sh').map(({ text }) => text);

it.each(blocks)('a shell can read: %s', async (text) => {
  expect(await run('bash', ['-n', '-c', text], { allowFailure: true })).toMatchObject({ code: 0, stderr: '' });
});

it('the guide explains each call of a channel', () => {
  const guide = readFileSync(join(ROOT, FILE), 'utf8');
  const calls = Object.entries(SIMULATOR).flatMap(([name, call]) => (typeof call === 'function' ? [name] : []));
  expect(calls.filter((call) => !guide.includes(`| \`${call}\` |`))).toEqual([]);
});
