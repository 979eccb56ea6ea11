/**
 * All suites of the gateway that run on several databases, in the portable profile of PostgreSQL, with injected serialization
 * failures.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { injectedConflicts, onPortableOnly } from '../harness.ts';

const ROOT = join(import.meta.dirname, '..');

const suites = globSync('**/*.test.ts', { cwd: ROOT })
  .filter((file) => !file.endsWith('.long.test.ts'))
  .filter((file) => /\bdescribeOnEach\w+\(/.test(readFileSync(join(ROOT, file), 'utf8')))
  .sort();

describe.each(suites)('%s', async (file) => {
  const ends = onPortableOnly();
  await import(join(ROOT, file));
  ends();
});

it('injected serialization failures of every kind', () => {
  for (const count of Object.values(injectedConflicts())) expect(count).toBeGreaterThan(100);
});
