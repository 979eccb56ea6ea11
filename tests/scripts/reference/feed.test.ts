import { describe, expect, it } from 'vitest';
import { readBundle } from '../../../contract/src/model.ts';
import { changelogFeed } from '../../../scripts/reference/feed.ts';

describe('the feed of the changelog', () => {
  it('has each release with its date and text, and no unreleased version', () => {
    const changelog = '# Changelog\n\n## 2.0.0 (unreleased)\n\nNew.\n\n## 1.0.0 (2026-01-02)\n\n- **First.**\n';
    expect(changelogFeed(changelog, 'Payments', 'https://docs.example.com')).toEqual({
      version: 'https://jsonfeed.org/version/1.1',
      title: 'Payments: changelog',
      home_page_url: 'https://docs.example.com/docs/changelog.html',
      feed_url: 'https://docs.example.com/docs/changelog-feed.json',
      items: [
        {
          id: 'https://docs.example.com/docs/changelog.html#1-0-0-2026-01-02',
          url: 'https://docs.example.com/docs/changelog.html#1-0-0-2026-01-02',
          title: 'Version 1.0.0',
          content_html: '<ul>\n<li><strong>First.</strong></li>\n</ul>\n',
          date_published: '2026-01-02T00:00:00Z',
        },
      ],
    });
  });

  it("has the reference's published address", () => {
    expect(readBundle().externalDocs?.url).toMatch(/^https:/);
  });
});
