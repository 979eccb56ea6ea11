/** `console`: a link that signs a person in to the console, once. */
import { UserError } from '../../../../contract/src/cli.ts';
import { didYouMean } from '../../../../contract/src/nearest.ts';
import type { ConsoleLink } from '../../../../generated/sandbox/types.ts';
import { type Access, callSandbox } from '../../sandbox-client/client.ts';
import { callGateway } from './access.ts';

/** Console pages by id prefix. */
const PAGES_OF_IDS: Readonly<Record<string, string>> = {
  pay: 'payments',
  out: 'payouts',
  evt: 'events',
  req: 'requests',
};

export const CONSOLE_PAGES = ['payments', 'payouts', 'events', 'requests', 'ledger', 'sandbox', 'explorer'] as const;

/** Creates a link that opens the overview, one of the pages, or what has the id. */
export async function consoleLink(access: Access, page = ''): Promise<ConsoleLink> {
  const place = toFragment(page);
  const { url, expires_at } = await callGateway(access, () => callSandbox(access, 'createConsoleLink'));
  // Browsers keep the fragment when the login leads them on to the console.
  return { url: `${url}${place}`, expires_at };
}

function toFragment(page: string): string {
  const known: readonly string[] = CONSOLE_PAGES;
  if (page === '') return '';
  if (known.includes(page)) return `#/${page}`;
  const [, prefix = ''] = /^([a-z]{3})_\w+$/.exec(page) ?? [];
  const folder = PAGES_OF_IDS[prefix];
  if (folder !== undefined) return `#/${folder}/${page}`;
  throw new UserError(
    `The console has no page ${page}.${didYouMean(page, known)} Use one of ${known.join(', ')}, or an id such as pay_….`,
    2,
  );
}
