/** Commands for integrators. They call a running gateway and need no database. */
import { type CommandLine, parseNames, parseNumber, stopSignal, UserError } from '../../../../contract/src/cli.ts';
import { didYouMean } from '../../../../contract/src/nearest.ts';
import type { Event } from '../../../../generated/management/types.ts';
import type { ConsoleLink } from '../../../../generated/sandbox/types.ts';
import { webhookName } from '../../../../generated/webhooks.ts';
import { type Access, ApiError, callManagement, callSandbox } from '../../api-client/client.ts';
import { addAccess, type ClientFlags, callGateway, type FollowedOutput, readAccess } from './access.ts';
import { addHttpCommands } from './http-commands.ts';
import { listen } from './listen.ts';
import { type LogsOptions, logs, parseMethods, parseOperation, parseSince, parseStatuses } from './logs.ts';
import { parseField, type RequestField } from './request-fields.ts';
import { GOALS, trigger } from './trigger.ts';

const LAST_MAX = 200;

/** Adds the commands of integrators: `listen`, `trigger`, `get` and more. */
export function addIntegratorCommands(program: CommandLine, env: NodeJS.ProcessEnv): void {
  addListen(program, env);
  addTrigger(program, env);
  addAccess(
    program.subcommand(
      'resend <event-id>',
      "Send one of your merchant's webhooks again, whether or not it was delivered.",
    ),
  )
    .addHelpText('after', '\n`listen` prints the ids of events, and forwards resent events.')
    .handle(async ({ json, ...flags }: ClientFlags, id = '') => {
      const event = await resend(readAccess(flags, env), id);
      return json ? JSON.stringify(event) : describeResent(event);
    });
  addLogs(program, env);
  addAccess(program.subcommand('console [page]', 'Print a one-time login link to the console.'))
    .suggest(CONSOLE_PAGES)
    .addHelpText(
      'after',
      `\nPages: ${CONSOLE_PAGES.join(', ')}, or the id of a payment, payout, event or request.\nThe link alone goes to stdout: open "$(payments-gateway console)" opens it on macOS, and xdg-open on Linux.`,
    )
    .handle(async ({ json, ...flags }: ClientFlags, page = '') => {
      const link = await consoleLink(readAccess(flags, env), page);
      if (!json)
        program.terminal.err(
          `This link works once, until ${link.expires_at}. It acts with your key, so keep it to yourself.\n`,
        );
      return json ? JSON.stringify(link) : link.url;
    });
  addHttpCommands(program, env);
}

function addListen(program: CommandLine, env: NodeJS.ProcessEnv): void {
  const names = [...GOALS.keys()];
  addAccess(program.subcommand('listen', 'Show and forward the webhooks of a running gateway.'))
    .option(
      '--forward-to <url...>',
      'Forward each signed webhook to this endpoint, such as localhost:3000/webhooks. EVENT=URL forwards one event elsewhere, such as paymentFailed=localhost:3000/declined.',
    )
    .option('--events <list>', `Only these events: ${names.join(', ')}.`, parseNames(names))
    .handle((flags: ClientFlags & { forwardTo?: string[]; events?: string[] }) =>
      following(program, flags, (until) => listen(readAccess(flags, env), flags, until)),
    );
}

function addTrigger(program: CommandLine, env: NodeJS.ProcessEnv): void {
  addAccess(program.subcommand('trigger <event>', 'Trigger an event, on a new or an existing transaction.'))
    .suggest([...GOALS.keys()])
    .option('--payment <id>', 'An existing payment. By default, a new one is created.')
    .option('--payout <id>', 'An existing payout. By default, a new one is created.')
    .option(
      '--set <field=value...>',
      'Fields of the new transaction, such as amount=2500 currency=EGP customer.id=customer-7. An empty value omits a field.',
      collectFields,
    )
    .option('--reason <code>', 'Decline reason. (default: BANK_REJECTED)')
    .option('--callback-url <url>', "Where a new transaction's webhooks go. By default nowhere; `listen` shows them.")
    .addHelpText(
      'after',
      `\nEvents:\n${[...GOALS.keys()].map((name) => `  ${name}`).join('\n')}\n
A new transaction has the fields of an example with its method or currency, and the customer manual, on whose transactions
nothing else happens. With another customer.id, the channel does nothing on its own until the event has happened.`,
    )
    .handle(async (flags: ClientFlags & TriggerFlags, event = '') => {
      const { payment, payout, json, ...options } = flags;
      const id = payment ?? payout;
      const done = await trigger(readAccess(flags, env), event, { ...options, ...(id !== undefined && { id }) });
      return json ? JSON.stringify(done) : `${event}  ${done.transaction_id}  ${done.status}`;
    });
}

interface TriggerFlags {
  payment?: string;
  payout?: string;
  set?: RequestField[];
  reason?: string;
  callbackUrl?: string;
}

function collectFields(text: string, before: readonly RequestField[] = []): RequestField[] {
  return [...before, parseField(text, ', after the event')];
}

function addLogs(program: CommandLine, env: NodeJS.ProcessEnv): void {
  addAccess(program.subcommand('logs', 'Show the last requests to a running gateway, and follow new ones.'))
    .option('--failed', 'Only requests with an error response.')
    .option('--status <list>', 'Only these statuses, such as 404 or 4xx,503.', parseStatuses)
    .option('--method <list>', 'Only these methods, such as POST or GET,PUT.', parseMethods)
    .option('--path <path>', "Only paths that begin with this, such as '/payments/*/confirm'. * stands for anything.")
    .option('--operation <id>', 'Only this operationId, such as createPayment.', parseOperation)
    .option('--transaction <id>', 'Only requests about this payment or payout.')
    .option(
      '--since <time>',
      "Only requests since then, by the merchant's clock: 15m, 2h, or a time such as 2026-03-02T18:30:00Z.",
      parseSince,
    )
    .option(
      '--last <number>',
      'Number of past requests to show. (default: 10; with --since, all)',
      parseNumber({ min: 0, max: LAST_MAX }),
    )
    .option('--no-follow', 'Print past requests and exit.')
    .addHelpText('after', '\nThe gateway keeps the last 1,000 requests of each merchant.')
    .handle((flags: ClientFlags & LogsOptions) =>
      following(program, flags, (until) => logs(readAccess(flags, env), flags, until)),
    );
}

/** Follows until Ctrl+C or until the output is closed. */
async function following(
  { terminal }: CommandLine,
  { json = false }: ClientFlags,
  follow: (following: FollowedOutput) => Promise<void>,
): Promise<undefined> {
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  stopSignal().then(stop);
  process.stdout.once('error', stop);
  try {
    await follow({ terminal, signal: stopping.signal, json });
  } finally {
    process.stdout.off('error', stop);
  }
  return undefined;
}

/** Sends it, and returns it as it was before. Throws a UserError with the events of the transaction whose id it was given. */
async function resend(access: Access, eventId: string): Promise<Event> {
  return callGateway(access, async () => {
    try {
      return await callManagement(access, 'resendEvent', { path: { event_id: eventId } });
    } catch (error) {
      const isTransaction = /^(pay|out)_/.test(eventId);
      if (!isTransaction || !(error instanceof ApiError) || error.status !== 404) throw error;
      throw new UserError(await explain(access, eventId), 2);
    }
  });
}

function describeResent({ id, transaction_id: transaction, url, status, body }: Event): string {
  const name = webhookName(JSON.parse(body) as { status: string }) ?? status;
  return `${name}  ${transaction}  ${id}  → ${url}`;
}

async function explain(access: Access, transactionId: string): Promise<string> {
  const { data } = await callManagement(access, 'listEvents', { query: { transaction_id: transactionId } });
  const events = data.map(({ id, created_at, status, state }) => `  ${id}  ${created_at}  ${status}  ${state}`);
  if (events.length === 0) return `${transactionId} has no events.`;
  return [`${transactionId} is a transaction. Its events, the newest first:`, ...events].join('\n');
}

/** Console pages by id prefix. */
const PAGES_OF_IDS: Readonly<Record<string, string>> = {
  pay: 'payments',
  out: 'payouts',
  evt: 'events',
  req: 'requests',
};

const CONSOLE_PAGES = ['payments', 'payouts', 'events', 'requests', 'ledger', 'sandbox', 'explorer'] as const;

/** Creates a link that opens the overview, one of the pages, or what has the id. */
export async function consoleLink(access: Access, page = ''): Promise<ConsoleLink> {
  const fragment = toFragment(page);
  const { url, expires_at } = await callGateway(access, () => callSandbox(access, 'createConsoleLink'));
  // Browsers keep the fragment when the login leads them on to the console.
  return { url: `${url}${fragment}`, expires_at };
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
