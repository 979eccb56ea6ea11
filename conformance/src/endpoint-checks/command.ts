/** `payments-conformance receiver`: verifies the endpoint that receives the webhooks. */
import { type CommandLine, parseNumber, UserError } from '../../../contract/src/cli.ts';
import { PROFILE_OPTION, parseHeader, parseWords, TIMEOUT_MS_MAX } from '../command/flags.ts';
import { writeJson } from '../command/text-files.ts';
import { defined, type Profile } from '../core/settings.ts';

interface Flags {
  readonly secret?: string;
  readonly header?: Readonly<Record<string, string>>;
  readonly order?: string;
  readonly timeout?: number;
  readonly only?: readonly string[];
  readonly profile?: Profile;
  readonly json?: string;
}

const HELP = `
Sends valid, repeated, reordered, slow, stale and forged deliveries. Use a test
system: it can't distinguish the valid ones from real events.

Exit codes:
  0  the endpoint conforms
  1  it doesn't conform, or doesn't respond
  2  usage error, or a failure of the kit
  3  not shown: nothing is violated, but a check was not reached`;

/** Adds the command. Its modules are loaded on demand. */
export function addReceiverCommand(program: CommandLine): void {
  const command = program
    .subcommand('receiver <url>', 'Verify an endpoint that receives webhooks.')
    .option('--secret <secret>', 'Signing secret of the endpoint, whsec_… (env: WEBHOOK_SECRET).')
    .option('--header <name: value>', 'Header sent with every delivery. Repeatable.', parseHeader)
    .option('--order <id>', 'A merchant_order_id known to the endpoint (default: unknown ones).')
    .option(
      '--timeout <ms>',
      'Milliseconds to wait for a response (default: 15000, the limit of the contract).',
      parseNumber({ max: TIMEOUT_MS_MAX }),
    )
    .option('--only <checks>', 'Run only these checks: ids or their prefixes, separated by commas.', parseWords)
    .option(...PROFILE_OPTION)
    .option('--json <file>', 'Write the results as JSON.')
    .addHelpText('after', HELP) as CommandLine;
  command.handle((flags: Flags, url = '') => receiverCommand(url, flags, command));
}

async function receiverCommand(url: string, flags: Flags, { terminal }: CommandLine): Promise<number> {
  const secret = flags.secret ?? process.env['WEBHOOK_SECRET'];
  if (!secret) throw new UserError('The signing secret is missing. Set --secret whsec_… or WEBHOOK_SECRET.', 2);
  const { assessReceiver, printReceiver, verifyReceiver } = await import('./verify.ts');
  const { loadContract } = await import('../document/contract.ts');
  const { timeout, header, order, only, profile, json } = flags;
  const results = await verifyReceiver({
    ...{ url, secret },
    ...defined({ timeoutMs: timeout, headers: header, order, only }),
  });
  const assessment = assessReceiver(results, profile);
  const { outcome, exitCode } = assessment;
  if (json !== undefined) writeJson(json, { url, profile: assessment.profile, outcome, exitCode, results });
  terminal.out(`${printReceiver(loadContract(), { url, results, assessment })}\n`);
  return exitCode;
}
