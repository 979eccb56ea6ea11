/** The first page: the service in three sentences, its two flows as drawings, a payment to play, and the way from there. */
import { table } from '../../contract/src/markdown.ts';
import { joined } from './pieces.ts';

/** The section of the page that begins with the player. */
export const PLAY = 'Play a payment';

/** Readers, with the pages that they need, in the order in which they read them. */
const READERS: [reader: string, pages: string[]][] = [
  [
    'You call the API from a backend',
    ['[Getting started](getting-started.md)', '[Safe retries](safe-retries.md)', '[Webhooks](webhooks.md)'],
  ],
  [
    'You build the checkout or the app',
    ['[Flows](flows.md)', '[States](states.md)', '[Decline reasons](decline-reasons.md)', '[Testing](testing.md)'],
  ],
  ['You work with a coding agent', ['[Integrate payments in twelve steps](SKILL.md)', '[llms.txt](llms.txt)']],
  ['You go live', ['[Go live](go-live.md)', '[Reconciliation](reconciliation.md)', '[Errors](errors.md)']],
  ['You implement the API, or a proxy', ['[Assumptions](assumptions.md)', '[Downloads](downloads.md)']],
];

const OPERATORS = '[Management API](management.md)';

/** The page, from the text before the first chapter. `hasManagement` says that the site has the pages of operators. */
export function homePage(overview: string, hasManagement: boolean): string {
  const readers = [...READERS, ...(hasManagement ? [['You operate a gateway', [OPERATORS]] as const] : [])];
  return joined([
    overview.trim(),
    '## Two ways to collect',
    ...DRAWINGS.map(({ file, title }) => `![${title}](${file})`),
    'The payment method decides the [flow](flows.md). [Payouts](createPayout.md) need one request.',
    `## ${PLAY}`,
    'Go through a payment step by step. Each step is a request to a sandbox that runs in this page. Pick a decline or a fault at any time, and see which webhooks arrive. [Getting started](getting-started.md#follow-the-walkthroughs) has the other walkthroughs.',
    '## Where to go next',
    table(
      ['Reader', 'Pages'],
      readers.map(([reader, pages]) => [reader, pages.join(', ')]),
    ),
  ]);
}

const LANES = ['Customer', 'You', 'Service'] as const;
type Lane = (typeof LANES)[number];

interface Drawing {
  file: string;
  title: string;
  messages: [from: Lane, to: Lane, text: string][];
}

const DRAWINGS: Drawing[] = [
  {
    file: 'flow-host-to-host.svg',
    title: 'Host to host: you lead the customer',
    messages: [
      ['You', 'Service', 'createPayment'],
      ['Service', 'You', 'account to pay to'],
      ['You', 'Customer', 'account to pay to'],
      ['Customer', 'Service', 'transfers the money'],
      ['Customer', 'You', 'reference number'],
      ['You', 'Service', 'confirmPayment'],
      ['Service', 'You', 'webhook: SUCCESS'],
    ],
  },
  {
    file: 'flow-redirect.svg',
    title: 'Redirect: the payment page leads the customer',
    messages: [
      ['You', 'Service', 'createPayment'],
      ['Service', 'You', 'redirect_url'],
      ['You', 'Customer', 'redirect_url'],
      ['Customer', 'Service', 'pays on the payment page'],
      ['Service', 'Customer', 'back to return_url'],
      ['Service', 'You', 'webhook: SUCCESS'],
    ],
  },
];

const WIDTH = 380;
const LANE_WIDTH = 130;
const [TOP, ROW] = [64, 38];

/** The drawings by their files. */
export function flowDrawings(): Record<string, string> {
  return Object.fromEntries(DRAWINGS.map((drawing) => [drawing.file, draw(drawing)]));
}

/** A sequence diagram. Colors and fonts are the page's. */
function draw({ title, messages }: Drawing): string {
  const height = TOP + messages.length * ROW + 8;
  const x = (lane: Lane) => WIDTH / 2 + (LANES.indexOf(lane) - 1) * LANE_WIDTH;
  const lanes = LANES.map(
    (lane) =>
      `<text x="${x(lane)}" y="42" text-anchor="middle" font-weight="600">${lane}</text>` +
      `<path d="M${x(lane)} 50V${height}" stroke="currentColor" opacity="0.3"/>`,
  );
  const arrows = messages.map(([from, to, text], index) => {
    const y = TOP + index * ROW + 18;
    const direction = Math.sign(x(to) - x(from));
    const end = x(to) - direction * 2;
    const color = text.endsWith('Payment') ? 'var(--vp-c-brand-1,#0b5cd5)' : 'currentColor';
    return (
      `<g style="color:${color}"><text x="${(x(from) + x(to)) / 2}" y="${y - 6}" text-anchor="middle">${text}</text>` +
      `<path d="M${x(from)} ${y}H${end}m${-direction * 7}-4l${direction * 7} 4l${-direction * 7} 4" fill="none" stroke="currentColor" stroke-width="1.5"/></g>`
    );
  });
  const description = messages.map(([from, to, text]) => `${from} to ${to}: ${text}.`).join(' ');
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" class="flow" role="img" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" ` +
    `fill="currentColor" font-family="system-ui,sans-serif" font-size="12.5"><title>${title}</title><desc>${description}</desc>` +
    `<text x="${WIDTH / 2}" y="16" text-anchor="middle" font-size="14" font-weight="600">${title}</text>${lanes.join('')}${arrows.join('')}</svg>\n`
  );
}
