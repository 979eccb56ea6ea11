import { describe, expect, it } from 'vitest';
import { readBundle } from '../../../contract/src/model.ts';
import { declineTables, withDeclineLinks } from '../../../scripts/reference/declines.ts';
import { markdownPages } from '../../../scripts/reference/markdown-pages.ts';

const bundle = readBundle();
const linked = withDeclineLinks(bundle);
const pages = markdownPages(bundle);

describe.each(declineTables(bundle))('the table of $schema', ({ schema, heading, reasons }) => {
  const section = `section/decline-reasons/${heading.toLowerCase().replaceAll(' ', '-')}`;

  it('has a heading in the introduction', () => {
    expect(bundle.info.description).toContain(`\n## ${heading}\n`);
  });

  it.each(Object.keys(reasons))('has an anchor for %s, on the page and in Markdown', (code) => {
    expect(linked.info.description.split(`id="${section}/${code.toLowerCase()}"`)).toHaveLength(2);
    expect(pages[`${schema}.md`]).toContain(`\n## ${code}\n`);
    expect(pages['decline-reasons.md']).toContain(`| [\`${code}\`](${schema}.md#${code.toLowerCase()}) |`);
  });

  it('is linked from the field that has its codes', () => {
    const { description = '' } = linked.components.schemas[schema] ?? {};
    expect(description.toLowerCase()).toContain(`](#${section})`);
    const [page = ''] = schema === 'PaymentDeclineReason' ? ['getPayment.md'] : ['getPayout.md'];
    expect(pages[page]).toMatch(new RegExp(`\\| \`decline_reason\` \\|.*\\]\\(${schema}\\.md\\)`));
  });
});

describe('a mention of a code', () => {
  const mention = (text: string) =>
    withDeclineLinks({ ...bundle, info: { ...bundle.info, description: text } }).info.description;

  it('leads to the table that has it', () => {
    expect(mention('`KYC_BLOCKED`')).toBe(
      '[`KYC_BLOCKED`](#section/Decline-reasons/Payment-decline-reasons/KYC_BLOCKED)',
    );
  });

  it('that both tables have leads to the one that the heading or the sentence is about', () => {
    expect(mention('A payout over the limit gets `LIMIT_EXCEEDED`.')).toContain('/Payout-decline-reasons/');
    expect(mention('Over the limit: `LIMIT_EXCEEDED`.')).toContain('/Payment-decline-reasons/');
    expect(mention('# Test\n## Payouts\n`LIMIT_EXCEEDED`')).toContain('/Payout-decline-reasons/');
  });

  it('that neither table has stays unchanged, and so does a heading', () => {
    for (const text of ['`UNKNOWN_CODE`', '## `KYC_BLOCKED`']) expect(mention(text)).toBe(text);
  });
});

it('leaves the given bundle unchanged', () => {
  expect(bundle).toEqual(readBundle());
});
