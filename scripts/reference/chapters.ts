/** The chapters of the reference: the introduction's, and those written for the site only. */
import { table } from '../../contract/src/markdown.ts';
import { type Bundle, type JsonObject, SAMPLE_KEY } from '../../contract/src/model.ts';
import { baseUrl } from '../artifacts/samples/call.ts';
import { START, slug, withPageLinks } from './addresses.ts';
import { declineTables, withDeclineLinks, withFurtherCodes } from './declines.ts';
import { problemSections } from './errors.ts';
import { flowDrawings, homePage } from './home.ts';
import type { Page } from './page.ts';
import { describeSettlement, limitsTable } from './payment-methods.ts';
import { fenced, firstLine, joined } from './pieces.ts';
import { createPaymentCommand, firstWebhook, receivers } from './receiver.ts';

const FIGURE =
  /<figure[^>]*>(<svg[\s\S]*?<\/svg>)<figcaption>(?:<small>)?([\s\S]*?)(?:<\/small>)?<\/figcaption><\/figure>/g;

/** The chapters, beginning with the text before the first one, and the drawings that they name, by their files. */
export interface Chapters {
  pages: Page[];
  drawings: Record<string, string>;
}

/** Facts about a site. */
export interface SiteKind {
  /** The site has the pages of operators. */
  hasManagement: boolean;
  /** The site is for a gateway with real money. */
  isLive: boolean;
}

/** Reads the introduction of the document. */
export function createChapters(bundle: Bundle, kind: SiteKind): Chapters {
  const drawings = flowDrawings();
  const text = withDeclineLinks(bundle.info.description, declineTables(bundle));
  const [overview = '', ...chapters] = text.split(/^# /m);
  const pages = chapters.map((chapter): Page => {
    const title = firstLine(chapter);
    const body = withDrawings(chapter.slice(title.length), drawings);
    const markdown = withPageLinks(withMarks(completed(bundle, slug(title), body, kind)));
    return { name: slug(title), title, summary: '', markdown };
  });
  const markdown = homePage(withPageLinks(withMarks(overview)), kind.hasManagement);
  return { pages: [{ name: START, title: bundle.info.title, summary: 'Overview', markdown }, ...pages], drawings };
}

/** The chapter with additions from other parts of the document. */
function completed(bundle: Bundle, name: string, text: string, { hasManagement, isLive }: SiteKind): string {
  if (name === 'webhooks') return joined([withReceivers(bundle, text).trim(), hasManagement && RESEND]);
  if (name === 'getting-started') return afterFirstSection(text, firstWebhook(bundle));
  if (name === 'decline-reasons') return linkTables(bundle, declineTables(bundle).reduce(withFurtherCodes, text));
  if (name === 'errors') return joined([text.trim(), '## Kinds of problem', problemSections(bundle)]);
  if (name === 'authentication-and-keys') return withServers(bundle, text);
  if (name === 'testing' && !isLive) return joined([text.trim(), ...testSections(bundle)]);
  if (name === 'money' && !isLive) return joined([text.trim(), '## Settlement in the sandbox', describeSettlement()]);
  if (name === 'limits') return joined([text.trim(), '## Figures', describeFigures(isLive), limitsTable(isLive)]);
  return text;
}

/** For merchants, whose keys the management API accepts for their own webhooks. */
const RESEND = joined([
  '## Find failed webhooks and resend them',
  'This is part of this gateway’s [Management API](management-webhooks.md), not of the contract. Your API key gives access to the webhooks of your transactions.',
  'List the webhooks whose delivery has failed for good (`given_up`), was stopped by a 410 (`stopped`), or waits for the next attempt (`waiting`):',
  fenced('sh', 'curl "$BASE_URL/management/events?state=given_up" \\\n  --header "Authorization: Bearer $API_KEY"'),
  'Resend one, with the `id` of an event of the list:',
  fenced(
    'sh',
    'curl --request POST "$BASE_URL/management/events/$EVENT_ID/resend" \\\n  --header "Authorization: Bearer $API_KEY"',
  ),
  'To an address that returned 410, only an operator can resume the webhooks.',
]);

/** The chapter on declines, which mentions the page of each table. */
function linkTables(bundle: Bundle, text: string): string {
  const links = declineTables(bundle).map(({ schema, heading }) => `[${heading}](${schema}.md)`);
  const words = 'The reference has a page for each table, with';
  if (!text.includes(words)) throw new Error(`openapi/introduction.md has no sentence "${words} …"`);
  return text.replace(words, `${links.join(' and ')} have a page each, with`);
}

/** The table of the modes with the addresses of the servers. A gateway's pages have one server. */
function withServers({ servers }: Bundle, text: string): string {
  if (servers.length < 2) return text;
  const urls = servers.map((server) => `\`${baseUrl({ servers: [server] })}\``);
  const head = '| Mode | Test | Live |\n|---|---|---|\n';
  if (!text.includes(head)) throw new Error('openapi/introduction.md has no table of the modes, test and live');
  return text.replace(head, `${head}| Address | ${urls.join(' | ')} |\n`);
}

/** How to choose outcomes and times in the sandbox. A gateway's pages name that gateway instead of the default address. */
function testSections(bundle: Bundle): string[] {
  const address = bundle.servers.length < 2 ? baseUrl(bundle) : 'http://localhost:4000';
  return [
    '## Create a test payment',
    'Set the address and the key that the sandbox has printed:',
    fenced('sh', `export BASE_URL=${address}\nexport API_KEY=${SAMPLE_KEY}`),
    'This customer’s payment stays in its status until you send the next event:',
    createPaymentCommand(bundle, (body) => ({
      ...{ ...body, merchant_order_id: 'test-1', customer: { ...(body['customer'] as JsonObject), id: 'manual' } },
    })),
    'Set `TRANSACTION_ID` to the `transaction_id` of the response for the requests below.',
    '## Choose the outcome in the sandbox',
    'The `id` of the customer selects the outcome. [Payment methods](payment-methods.md) lists all test customers, and the pages of the [decline codes](decline-reasons.md) the customers of each code.',
    table(
      ['`customer.id`', 'Outcome'],
      [
        ['`succeed`, or any other', 'The payment succeeds once the customer has paid, a payout at once.'],
        ['`decline-BANK_REJECTED`', 'Declined at once with `BANK_REJECTED`. Any other decline code works the same.'],
        [
          '`decline-late-BANK_REJECTED`',
          'Declined later: a payment after the customer has paid, a payout 10 seconds after its creation.',
        ],
        [
          '`stop-VERIFYING`',
          'The payment stays in `VERIFYING`. `CREATED`, `EXTRA_DATA_NEEDED` and `PAY_CONFIRMATION_NEEDED` work the same.',
        ],
        ['`manual`', 'Stays in its status until you send the next event. An unpaid payment expires.'],
      ],
    ),
    '## Move the sandbox clock',
    'Each merchant has a clock, which decides when payments expire, amounts are settled, limits are reset and webhooks are sent again. Advance it with a duration such as `30s`, `15m`, `2h` or `3d`:',
    fenced('sh', post('clock/advance', '{"by":"2h"}')),
    'Everything that becomes due in that time happens in order. Without an action by the customer, for example, a payment fails with `TIMEOUT_EXPIRED` when its [validity](limits.md#figures) ends.',
    '## Decline a transaction later',
    'Create a payment of the customer `manual`. Let the customer pay, because an unpaid payment expires. Then advance the clock, and decline the payment with any decline code:',
    fenced(
      'sh',
      [
        post('payments/$TRANSACTION_ID/pay', '{}'),
        post('clock/advance', '{"by":"2h"}'),
        post('payments/$TRANSACTION_ID/decline', '{"decline_reason":"BANK_REJECTED"}'),
      ].join('\n'),
    ),
    'A payout doesn’t expire: advance the clock, and decline it with `payouts` instead of `payments` in the path. With the customer `decline-late-BANK_REJECTED`, advancing the clock by `10s` declines a payout without another request.',
  ];
}

function post(operation: string, body: string): string {
  return `curl "$BASE_URL/sandbox/${operation}" \\\n  --header "Authorization: Bearer $API_KEY" \\\n  --header "Content-Type: application/json" \\\n  --data '${body}'`;
}

function describeFigures(isLive: boolean): string {
  const owner = isLive ? 'the defaults of this gateway' : 'for the sandbox';
  return `The contract has no figures. The figures below are ${owner}; [Payment methods](payment-methods.md) also lists the data of each method.`;
}

const RECEIVER_SECTION = '## Verify the signature';

/** Puts the receivers at the end of the section that explains how to verify. */
function withReceivers(bundle: Bundle, text: string): string {
  const start = text.indexOf(`\n${RECEIVER_SECTION}\n`);
  if (start < 0) throw new Error(`openapi/introduction.md has no section "${RECEIVER_SECTION}"`);
  const next = text.slice(start + 1).search(/\n#+ /);
  const end = next < 0 ? text.length : start + 1 + next;
  const samples = receivers(bundle).map(({ language, label, code }) => fenced(language, code, label));
  return `${text.slice(0, end).trimEnd()}\n\n${samples.join('\n\n')}\n${text.slice(end)}`;
}

function afterFirstSection(text: string, section: string): string {
  const [before = '', first = '', ...others] = text.split(/^(?=## )/m);
  return [before, first, `${section}\n`, ...others].join('');
}

/** The basis of a sentence as a mark in brackets, as tables have it. */
function withMarks(markdown: string): string {
  return markdown.replace(/<sup>(.*?)<\/sup>/g, '($1)');
}

/** Drawings become files next to the pages. */
function withDrawings(markdown: string, drawings: Record<string, string>): string {
  return markdown.replace(FIGURE, (_, svg: string, caption: string) => {
    const title = /<title>(.*?)<\/title>/.exec(svg)?.[1] ?? '';
    const file = `${slug(title)}.svg`;
    // In the document, a drawing has no viewBox, since some readers of Markdown lowercase its name.
    const scaled = svg.replace(/<svg (.*?width="(\d+)" height="(\d+)")/, '<svg viewBox="0 0 $2 $3" $1');
    drawings[file] = `${scaled.replace('<svg ', '<svg xmlns="http://www.w3.org/2000/svg" ')}\n`;
    return `![${title}](${file})\n\n${caption}`;
  });
}
