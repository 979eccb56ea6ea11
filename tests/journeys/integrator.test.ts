/** A quick check of an integrator's documents: each shell block parses. integrator.long.test.ts runs them. */
import { describe, expect, it } from 'vitest';
import { run } from '../../scripts/tools/process.ts';
import { Document } from './tools/document.ts';

describe.each([new Document('gateway/README.md'), new Document('client/README.md')])('a README', ({ blocks }) => {
  it.each(blocks.filter(({ language }) => language === 'sh').map(({ text }) => text))(
    'has a block that a shell can read: %s',
    async (text) => {
      expect(await run('bash', ['-n', '-c', text], { allowFailure: true })).toMatchObject({ code: 0, stderr: '' });
    },
  );

  it('has code for its readers', () => {
    expect(blocks.filter(({ language }) => language === 'ts').length).toBeGreaterThan(0);
  });
});
