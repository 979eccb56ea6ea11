/** The commands at the desk of an integrator: they talk to a running gateway, and need no database. */
import { type CommandLine, parseNames, parseNumber, stopSignal } from '../../../../contract/src/cli.ts';
import { type AccessFlags, addAccess, type Following, readAccess } from './access.ts';
import { listen } from './listen.ts';
import { logs } from './logs.ts';
import { GOALS, trigger } from './trigger.ts';

const LAST_MAX = 200;

/** Adds `listen`, `trigger` and `logs`. */
export function addDesk(program: CommandLine, env: NodeJS.ProcessEnv): void {
  const names = [...GOALS.keys()];
  addAccess(program.subcommand('listen', 'Show webhooks of a running gateway as they come, and forward them.'))
    .option('--forward-to <url>', 'Endpoint that gets each webhook, signed, such as localhost:3000/webhooks.')
    .option('--events <list>', `Only these events: ${names.join(', ')}.`, parseNames(names))
    .handle(async (flags: AccessFlags & { forwardTo?: string; events?: string[] }) => {
      await untilStopped(program, (following) => listen(readAccess(flags, env), flags, following));
      return 0;
    });
  addAccess(program.subcommand('trigger <event>', 'Make an event happen, on a new transaction or one of yours.'))
    .option('--payment <id>', 'Your payment. Without it, a new one is created.')
    .option('--payout <id>', 'Your payout. Without it, a new one is created.')
    .option('--reason <code>', 'Decline reason. (default: BANK_REJECTED)')
    .option('--callback-url <url>', "Where a new transaction's webhooks go. By default nowhere; `listen` shows them.")
    .addHelpText('after', `\nEvents:\n${names.map((name) => `  ${name}`).join('\n')}`)
    .handle((flags: AccessFlags & TriggerFlags, event = '') => {
      const { payment, payout, ...options } = flags;
      const id = payment ?? payout;
      return trigger(readAccess(flags, env), event, { ...options, ...(id !== undefined && { id }) });
    });
  addAccess(program.subcommand('logs', 'Follow the requests to a running gateway.'))
    .option('--failed', 'Only requests whose response is an error.')
    .option(
      '--last <number>',
      'Requests of the past to begin with. (default: 10)',
      parseNumber({ min: 0, max: LAST_MAX }),
    )
    .handle(async (flags: AccessFlags & { failed?: boolean; last?: number }) => {
      await untilStopped(program, (following) => logs(readAccess(flags, env), flags, following));
      return 0;
    });
}

interface TriggerFlags {
  payment?: string;
  payout?: string;
  reason?: string;
  callbackUrl?: string;
}

async function untilStopped({ terminal }: CommandLine, follow: (following: Following) => Promise<void>): Promise<void> {
  const stopping = new AbortController();
  stopSignal().then(() => stopping.abort());
  await follow({ terminal, signal: stopping.signal });
}
