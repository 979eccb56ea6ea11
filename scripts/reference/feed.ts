/** The changelog's releases as a JSON Feed 1.1, which feed readers subscribe to. */
import { marked } from 'marked';
import { slug } from './addresses.ts';

/** The feed's file next to the pages. */
export const FEED = 'changelog-feed.json';

const RELEASE = /^## (\d+\.\d+\.\d+) \((\d{4}-\d{2}-\d{2})\)$/m;

/** A version that isn't released has no date, and is not in the feed. `site` is where the pages are published. */
export function changelogFeed(changelog: string, title: string, site: string): object {
  const page = new URL('/docs/changelog.html', site).href;
  const items = changelog.split(/^(?=## )/m).flatMap((section) => {
    const [heading, version, date] = RELEASE.exec(section) ?? [];
    if (!heading) return [];
    const url = `${page}#${slug(heading)}`;
    const text = section.slice(heading.length).trim();
    return [
      {
        ...{ id: url, url, title: `Version ${version}` },
        content_html: marked.parse(text, { async: false }),
        date_published: `${date}T00:00:00Z`,
      },
    ];
  });
  return {
    version: 'https://jsonfeed.org/version/1.1',
    title: `${title}: changelog`,
    home_page_url: page,
    feed_url: new URL(`/docs/${FEED}`, site).href,
    items,
  };
}
