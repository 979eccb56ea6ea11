/** Commands for integrators. They call a running gateway and need no database. */
import { type CommandLine, parseNames, parseNumber, stopSignal } from '../../../../contract/src/cli.ts';
import { addAccess, type ClientFlags, type FollowedOutput, readAccess } from './access.ts';
import { CONSOLE_PAGES, consoleLink } from './console-link.ts';
import { listen } from './listen.ts';
import { type LogsOptions, logs } from './logs.ts';
import { type Override, readOverride } from './overrides.ts';
import { parseMethods, parseOperation, parseSince, parseStatuses } from './request-filter.ts';
import { describeResent, resend } from './resend.ts';
import { GOALS, trigger } from './trigger.ts';

const LAST_MAX = 200;

/** Adds `listen`, `trigger`, `resend`, `logs` and `console`. */
export function addIntegratorCommands(program: CommandLine, env: NodeJS.ProcessEnv): void {
  addListen(program, env);
  addTrigger(program, env);
  addAccess(
    program.subcommand(
      'resend <event-id>',
      "Send one of your merchant's webhooks again, whether or not it was delivered.",
    ),
  )
    .addHelpText('after', '\n`listen` prints the ids of events, and forwards what is sent again.')
    .handle(async ({ json, ...flags }: ClientFlags, id = '') => {
      const event = await resend(readAccess(flags, env), id);
      return json ? JSON.stringify(event) : describeResent(event);
    });
  addLogs(program, env);
  addAccess(program.subcommand('console [page]', 'Print a one-time link that opens the console, signed in.'))
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
}

function addListen(program: CommandLine, env: NodeJS.ProcessEnv): void {
  const names = [...GOALS.keys()];
  addAccess(program.subcommand('listen', 'Show and forward webhooks of a running gateway as they are sent.'))
    .option('--forward-to <url>', 'Forward each signed webhook to this endpoint, such as localhost:3000/webhooks.')
    .option('--events <list>', `Only these events: ${names.join(', ')}.`, parseNames(names))
    .handle((flags: ClientFlags & { forwardTo?: string; events?: string[] }) =>
      following(program, flags, (until) => listen(readAccess(flags, env), flags, until)),
    );
}

function addTrigger(program: CommandLine, env: NodeJS.ProcessEnv): void {
  addAccess(program.subcommand('trigger <event>', 'Trigger an event, on a new or an existing transaction.'))
    .option('--payment <id>', 'An existing payment. By default, a new one is created.')
    .option('--payout <id>', 'An existing payout. By default, a new one is created.')
    .option(
      '--set <field=value...>',
      'Fields of the new transaction, such as amount=2500 currency=EGP customer.id=customer-7. An empty value omits a field.',
      collectOverrides,
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
  set?: Override[];
  reason?: string;
  callbackUrl?: string;
}

function collectOverrides(text: string, before: readonly Override[] = []): Override[] {
  return [...before, readOverride(text)];
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
