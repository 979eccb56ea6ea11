import { describe, expect, it } from 'vitest';
import { readBundle } from '../../../contract/src/model.ts';
import { handlingWords } from '../../../scripts/artifacts/decline-handling.ts';
import { declineTables, withDeclineLinks } from '../../../scripts/reference/declines.ts';
import { siteParts } from '../../../scripts/reference/site.ts';

const bundle = readBundle();
const { files } = await siteParts();

describe.each(declineTables(bundle))('the table of $schema', ({ schema, heading, all }) => {
  it('has a heading in the introduction', () => {
    expect(bundle.info.description).toContain(`\n## ${heading}\n`);
  });

  it.each(Object.entries(all))('has a section for %s with its texts, linked from its tables', (code, row) => {
    const { meaning, likely_cause, suggested_action } = row;
    const section = files[`${schema}.md`]?.split(`\n## ${code}\n`)[1]?.split('\n## ')[0];
    for (const text of [meaning, likely_cause, suggested_action, ...handlingWords(row)])
      expect(section).toContain(text);
    expect(section).toContain(`?customer.id=decline-${code}#try-it)`);
    expect(section).toContain(`&steps=decline-${code}.1#play-`);
    expect(section).toMatch(/\n {2}- English: [A-Z].*\.\n {2}- Hindi: /);
    for (const name of [`${schema}.md`, 'decline-reasons.md']) {
      expect(files[name]).toContain(`| [\`${code}\`](${schema}.md#${code.toLowerCase()}) |`);
    }
  });

  it('is linked from the operations that return its codes', () => {
    const page = files[schema === 'PaymentDeclineReason' ? 'getPayment.md' : 'getPayout.md'];
    expect(page).toContain(`**\`decline_reason\`** string, a [decline code](${schema}.md), only with \`FAILED\``);
    for (const code of Object.keys(all)) expect(page).toContain(`[\`${code}\`](${schema}.md#${code.toLowerCase()})`);
  });
});

describe('a mention of a code', () => {
  const mention = (text: string) => withDeclineLinks(text, declineTables(bundle));

  it('links to its table', () => {
    expect(mention('`KYC_BLOCKED`')).toBe('[`KYC_BLOCKED`](PaymentDeclineReason.md#kyc_blocked)');
  });

  it('in both tables links to the table of its heading or sentence', () => {
    expect(mention('A payout over the limit gets `LIMIT_EXCEEDED`.')).toContain('(PayoutDeclineReason.md');
    expect(mention('Over the limit: `LIMIT_EXCEEDED`.')).toContain('(PaymentDeclineReason.md');
    expect(mention('# Test\n## Payouts\n`LIMIT_EXCEEDED`')).toContain('(PayoutDeclineReason.md');
  });

  it('in neither table stays unchanged, and so does a heading', () => {
    for (const text of ['`UNKNOWN_CODE`', '## `KYC_BLOCKED`']) expect(mention(text)).toBe(text);
  });
});
