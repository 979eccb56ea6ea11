/** The pictures that the documents show. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryFiles } from '../../scripts/tools/files.ts';
import { ROOT } from '../../scripts/tools/process.ts';

const FOLDER = join(ROOT, 'docs/pictures');
const shown = repositoryFiles()
  .filter((file) => file.endsWith('.md'))
  .flatMap((file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(/!\[[^\]]*\]\((?!https?:)([^)\s]+\.png)\)/g)].map(
      ([, picture = '']) => join(ROOT, dirname(file), picture),
    ),
  );
const taken = readdirSync(FOLDER).map((name) => join(FOLDER, name));

describe('the pictures', () => {
  it.each([...new Set([...shown, ...taken])])('%s is a PNG that a page can show', (file) => {
    const picture = readFileSync(file);
    expect(picture.subarray(1, 4).toString()).toBe('PNG');
    expect(picture.readUInt32BE(16)).toBe(1200);
    expect(picture.length).toBeLessThan(150_000);
  });
});
