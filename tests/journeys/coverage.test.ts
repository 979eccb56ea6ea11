/** Every document with commands or code has a journey that runs them. Until then, each shell block at least parses. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT, run } from '../../scripts/tools/process.ts';
import { SIMULATOR } from '../gateway/harness/channels.ts';
import { NOT_RUN } from './operator.ts';
import { Document } from './tools/document.ts';

/** Documents without a journey, and the reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'CONTRIBUTING.md': 'Its blocks name tests, and a debugger to attach to them.',
  'docs/frontends.md': 'Its blocks are the files of tests/gateway/web/frontends, which run with the other tests.',
  'docs/other-tools.md': 'Its tools are downloaded from npm.',
  'docs/simulation.md': 'Its commands are those of tests/simulation, which test them.',
};

const documents = globSync(
  '{*.md,{contract,conformance,client,gateway}/*.md,docs/{*,operations/*}.md,docs/decisions/*.md}',
  {
    cwd: ROOT,
  },
);
const tests = globSync('tests/{journeys,packages,conformance}/**/*.ts', { cwd: ROOT });

it('each document with commands or code is followed by a journey', () => {
  const followed = tests.flatMap((file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(/new Document\('([^']+)'\)/g)].map(([, document]) => document),
  );
  const runnable = documents.filter((file) => new Document(file).leftOut().length > 0);
  expect(runnable.filter((file) => !followed.includes(file)).toSorted()).toEqual(Object.keys(EXCEPTIONS).toSorted());
});

/** Documents that only the long tests follow. */
const FOLLOWED_LATER = [
  ...['docs/channels.md', 'docs/operations.md', 'docs/operations/accounting.md'],
  ...['gateway/README.md', 'client/README.md'],
].map((file) => new Document(file));

it.each(FOLLOWED_LATER.flatMap(({ blocks }) => blocks.filter(({ language }) => language === 'sh')))(
  'a shell can read: $text',
  async ({ text }) => {
    expect(await run('bash', ['-n', '-c', text], { allowFailure: true })).toMatchObject({ code: 0, stderr: '' });
  },
);

it.each(Object.keys(NOT_RUN))('one block for operators has %s', (part) => {
  expect(() => new Document('docs/operations.md').take(part, 'sh')).not.toThrow();
});

it('the guide explains each call of a channel', () => {
  const guide = readFileSync(join(ROOT, 'docs/channels.md'), 'utf8');
  const calls = Object.entries(SIMULATOR).flatMap(([name, call]) => (typeof call === 'function' ? [name] : []));
  expect(calls.filter((call) => !guide.includes(`| \`${call}\` |`))).toEqual([]);
});
