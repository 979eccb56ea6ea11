import { describe, expect, it } from 'vitest';
import { siteDocument, siteParts } from '../../../scripts/reference/site.ts';

describe('the chapters', () => {
  it("follow the reader's order, with reference material at the end", async () => {
    const { reference } = await siteParts();
    const names = reference.groups.flatMap(({ pages }) => pages.map(({ name }) => name));
    const order = [
      ...['index', 'getting-started', 'authentication-and-keys', 'flows', 'states', 'money', 'refunds', 'safe-retries'],
      ...['webhooks', 'decline-reasons', 'errors', 'testing', 'reconciliation', 'go-live', 'limits'],
      ...['versions', 'changelog', 'assumptions'],
    ];
    expect(names.filter((name) => order.includes(name))).toEqual(order);
    expect(names.at(-1)).toBe('assumptions');
  });

  it('begin with a command that works when pasted', async () => {
    const { files } = await siteParts({ server: { url: 'http://127.0.0.1:1', description: 'This gateway.' } });
    const [first = ''] = files['getting-started.md']?.split('## Follow a transaction') ?? [];
    expect(first).toContain('export BASE_URL=http://127.0.0.1:1\nexport API_KEY=sk_test_your_key');
    expect(first).toMatch(/^curl "\$\{BASE_URL:-http:\/\/127\.0\.0\.1:1\}\/merchant\/balance"/m);
  });

  it('insert an additional chapter after the named one', async () => {
    const { info } = await siteDocument({
      chapters: [{ after: 'Decline reasons', markdown: '# Extra chapter\n\nMARK-OF-THE-CHAPTER' }],
    });
    const order = ['# Decline reasons', 'MARK-OF-THE-CHAPTER', '# Errors'].map((text) =>
      info.description.indexOf(text),
    );
    expect(order).toEqual(order.toSorted((one, other) => one - other));
    expect(order).not.toContain(-1);
  });

  it('reject a chapter after an unknown one', async () => {
    await expect(siteDocument({ chapters: [{ after: 'Nothing', markdown: '# X' }] })).rejects.toThrow(
      'no chapter "Nothing"',
    );
  });

  it('name only the given server, even in samples', async () => {
    const { files } = await siteParts({ server: { url: 'http://127.0.0.1:1', description: 'This gateway.' } });
    expect(files['createPayment.md']).toContain('http://127.0.0.1:1');
    for (const [name, page] of Object.entries(files)) expect(page, name).not.toMatch(/https:..api\.(test\.)?gateway/);
  });
});
