/** `payments-conformance doctor`: says why a service can't be tested, before hundreds of checks run. */
import { type CommandLine, parseNumber, type Terminal, UserError } from '../../../contract/src/cli.ts';
import { addServiceFlags, type Flags, toOptions } from './flags.ts';

const TIME_MAX = 3_600;
/** In seconds. */
const DEFAULT_TIME_MAX = 60;

const HELP = `
It sends about 40 requests, and creates a small payment or payout for each
claimed level.

Exit codes:
  0  the service can be tested
  1  it can't, or not at the claimed levels
  2  the command was used incorrectly`;

/** Adds the command. Its modules are loaded on demand. */
export function addDoctorCommand(program: CommandLine): void {
  const command = program.subcommand('doctor [base-url]', "Say why a service can't be tested, and what to do.");
  addServiceFlags(command)
    .option(
      '--max-time <seconds>',
      `Seconds after which it ends (default: ${DEFAULT_TIME_MAX}).`,
      parseNumber({ max: TIME_MAX }),
    )
    .addHelpText('after', HELP);
  command.handle((flags: Flags, baseUrl?: string) => doctorCommand(flags, baseUrl, command.terminal));
}

async function doctorCommand(flags: Flags, baseUrl: string | undefined, terminal: Terminal): Promise<number> {
  const { Examination } = await import('../doctor/examination.ts');
  const { diagnose, stepText, summaryText } = await import('../doctor/diagnose.ts');
  const { painter, usesColor } = await import('../report/paint.ts');
  const { takeLocalSteps } = await import('./local-steps.ts');
  const { maxTime = DEFAULT_TIME_MAX } = flags;
  const paint = painter(usesColor());
  const examination = new Examination(maxTime * 1_000, (step) => terminal.out(stepText(step, paint)));
  try {
    const { config, driver } = await takeLocalSteps(examination, flags, baseUrl);
    const options = { ...toOptions(flags, baseUrl, config, process.env), maxTime };
    const { baseUrl: address } = options;
    // A config file that can't be loaded may have it.
    if (address === undefined && examination.problems.length === 0) {
      throw new UserError('Missing base URL. Use: payments-conformance doctor http://127.0.0.1:4010', 2);
    }
    const reachable =
      address === undefined ? new Map() : await diagnose(examination, { ...options, baseUrl: address, driver });
    const command = ['npx payments-conformance', ...(baseUrl === undefined ? [] : [baseUrl])].join(' ');
    terminal.out(summaryText(examination.steps, reachable, command, paint));
    return examination.problems.length === 0 ? 0 : 1;
  } finally {
    examination.close();
  }
}
