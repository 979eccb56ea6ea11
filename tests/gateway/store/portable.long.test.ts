/**
 * All suites of the gateway that use a database, in the portable profile of PostgreSQL, with injected serialization
 * failures.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { injectedConflicts, onPortableOnly } from '../harness.ts';
import { carryLoad } from './conflicting-load.ts';

const ROOT = join(import.meta.dirname, '..');

/**
 * Files that are about what the profile has not: archives; and that statements are counted and seeds repeat, since units are
 * run again here.
 */
const LEFT_OUT = ['archive/', 'api/statements.test.ts', 'api/seed.test.ts'];
/** Tests in other files that need an archive. */
const ARCHIVE_TESTS = [
  'has the same in archives, and counts once what is in both databases',
  'reads the archives that it is given, and names the others if there are differences',
  'counts once what is in both databases, since the archiving ended early',
  'includes archives, names those that it was not given, and waits for archiving to end',
  'is the same when a part of the ledger is in archives',
];

const skipped = new Set<string>();
beforeEach(({ task, skip }) => {
  if (!ARCHIVE_TESTS.includes(task.name)) return;
  skipped.add(task.name);
  skip('the profile has no archives');
});

const suites = globSync('**/*.test.ts', { cwd: ROOT })
  .filter((file) => !file.endsWith('.long.test.ts') && !LEFT_OUT.some((name) => file.startsWith(name)))
  .filter((file) => /\bdescribeOnEach\w+\(/.test(readFileSync(join(ROOT, file), 'utf8')))
  .sort();

describe.each(suites)('%s', async (file) => {
  const ends = onPortableOnly();
  await import(join(ROOT, file));
  ends();
});

describe.each([0.1, 0.3, 0.5])('two gateways on one database, where %d of the transactions fail', (share) => {
  it.each(['one', 'two', 'three'])('lose nothing and do nothing twice (seed %s)', async (seed) => {
    const { paidOut } = await carryLoad({ seed, payments: 120, share });
    expect(paidOut).toBe(30);
  });
});

it('have all run, but for those of archives', () => {
  expect([...skipped].sort()).toEqual(ARCHIVE_TESTS.toSorted());
});

it('have met serialization failures of every kind', () => {
  for (const count of Object.values(injectedConflicts())) expect(count).toBeGreaterThan(100);
});
