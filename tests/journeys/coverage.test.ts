/** Every document with commands or code has a journey that runs them. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../../scripts/tools/process.ts';
import { SIMULATOR } from '../gateway/harness/channels.ts';
import { Document } from './tools/document.ts';

/** Documents without a journey, and the reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'CONTRIBUTING.md': 'Its blocks name tests, and a debugger to attach to them.',
  'docs/frontends.md': 'Its blocks are the files of tests/gateway/web/frontends, which run with the other tests.',
  'docs/other-tools.md': 'Its tools are downloaded from npm.',
  'docs/simulation.md': 'Its commands are those of tests/simulation, which test them.',
};

const DOCUMENTS = '{*.md,{contract,conformance,client,gateway}/*.md,docs/{*,operations/*}.md,docs/decisions/*.md}';
const documents = globSync(DOCUMENTS, { cwd: ROOT });
const tests = globSync('tests/{journeys,packages,conformance}/**/*.ts', { cwd: ROOT });

it('each document with commands or code is followed by a journey', () => {
  const followed = tests.flatMap((file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(/new Document\('([^']+)'\)/g)].map(([, document]) => document),
  );
  const runnable = documents.filter((file) => new Document(file).leftOut().length > 0);
  expect(runnable.filter((file) => !followed.includes(file)).toSorted()).toEqual(Object.keys(EXCEPTIONS).toSorted());
});

it('the guide explains each call of a channel', () => {
  const guide = readFileSync(join(ROOT, 'docs/channels.md'), 'utf8');
  const calls = Object.entries(SIMULATOR).flatMap(([name, call]) => (typeof call === 'function' ? [name] : []));
  expect(calls.filter((call) => !guide.includes(`| \`${call}\` |`))).toEqual([]);
});
