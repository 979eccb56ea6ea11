/** `payments-conformance check-har`: checks recorded traffic. */
import type { CommandLine, Terminal } from '../../../contract/src/cli.ts';
import type { Profile } from '../core/settings.ts';
import { PROFILE_OPTION } from './flags.ts';

interface Flags {
  readonly secret?: string;
  readonly profile?: Profile;
  readonly json?: string;
}

const HELP = `
Sends nothing, so that it is safe for recordings of production. It judges shapes,
states, and, with --secret, signatures of webhooks.

Exit codes:
  0  nothing that was recorded breaks the contract
  1  something does
  2  the command was used incorrectly, or the file isn't an archive
  3  nothing could be judged`;

/** Adds the command. Its modules are loaded on demand. */
export function addCheckHarCommand(program: CommandLine): void {
  const command = program
    .subcommand('check-har <file>', 'Check recorded traffic, an HTTP archive (HAR), without sending requests.')
    .option('--secret <secret>', 'Signing secret of the webhooks (env: WEBHOOK_SECRET).')
    .option(...PROFILE_OPTION)
    .option('--json <file>', 'Write the report as JSON.')
    .addHelpText('after', HELP) as CommandLine;
  command.handle((flags: Flags, file = '') => checkHar(file, flags, command.terminal));
}

async function checkHar(file: string, { secret, profile, json }: Flags, terminal: Terminal): Promise<number> {
  const { readText, writeJson } = await import('./text-files.ts');
  const { verifyRecorded } = await import('../run/recorded.ts');
  const { assess } = await import('../run/assess.ts');
  const { buildReport } = await import('../report/build-report.ts');
  const { terminalReport } = await import('../report/terminal.ts');
  const verification = await verifyRecorded(readText(file), file, secret ?? process.env['WEBHOOK_SECRET']);
  const assessment = assess(verification, { ...(profile && { profile }) });
  const report = buildReport(verification, assessment, verification.contract.bundle.info.version);
  if (json !== undefined) writeJson(json, report);
  terminal.out(terminalReport(report));
  return report.exitCode;
}
