import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { revision } from '../../scripts/tools/revision.ts';
import { temporaryFolder } from '../gateway/harness.ts';
import { writeFiles } from '../tools/temporary.ts';

const COMMIT = '036ed5a1b2c3d4e5f60718293a4b5c6d7e8f9012';

describe('the revision', () => {
  it.each([
    ['a branch', { HEAD: 'ref: refs/heads/main\n', 'refs/heads/main': `${COMMIT}\n` }],
    [
      'a branch that git has packed',
      { HEAD: 'ref: refs/heads/main\n', 'packed-refs': `# pack\n${COMMIT} refs/heads/main\n` },
    ],
    ['a commit', { HEAD: `${COMMIT}\n` }],
  ])('is the commit of %s', async (_name, files) => {
    const folder = await temporaryFolder();
    await writeFiles(join(folder, '.git'), files);
    expect(revision(folder)).toBe('036ed5a1b2c3');
  });

  it('is undefined outside a clone', async () => {
    expect(revision(await temporaryFolder())).toBeUndefined();
  });
});
