/** The commands on signed reports. Their modules are loaded on demand. */
import type { CommandLine } from '../../../contract/src/cli.ts';
import { parseWords } from './flags.ts';
import type { TableFlags } from './table.ts';

const DEFAULT_NAME = 'conformance-key';

const VERIFY_HELP = `
Compare the service, the date and the digest of the contract with what you
expect: a report stays genuine.

Exit codes:
  0  the report is genuine, and the service conforms
  1  it is not genuine, or the service doesn't conform, or that is not shown
  2  the command was used incorrectly
  4  it is genuine, and the service conforms except for known failures`;

const CREATE_HELP = `
Writes NAME.pem, which signs, and NAME.pub.pem, which verifies: an Ed25519 pair
in PEM, as OpenSSL makes them.`;

const TABLE_HELP = `
Reads every *.dsse.json and *.dsse.json.gz of the folder. Of several reports with one name, the newest counts.
Without --html, --json and --markdown, it prints the table as Markdown.

Exit codes:
  0  every report is genuine, whatever it shows
  1  a report is left out, because it is not genuine
  2  the command was used incorrectly`;

export function addReportCommands(program: CommandLine): void {
  const verify = program
    .subcommand('verify-report <file>', 'Verify the signature of a report.')
    .option('--key <files>', 'Public keys of accepted signers, in PEM. Repeatable.', parseWords)
    .addHelpText('after', VERIFY_HELP) as CommandLine;
  verify.handle(async ({ key = [] }: { key?: readonly string[] }, file = '') => {
    const { verifyReport } = await import('./signing.ts');
    return verifyReport(file, key, verify.terminal);
  });
  const create = program
    .subcommand('create-key [name]', 'Make a pair of keys to sign reports with.')
    .addHelpText('after', CREATE_HELP) as CommandLine;
  create.handle(async (_flags, name = DEFAULT_NAME) => {
    const { createKey } = await import('./signing.ts');
    return createKey(name, create.terminal);
  });
  const table = program
    .subcommand('table <folder>', 'Make a table of implementations and levels from the signed reports in a folder.')
    .option('--key <files>', 'Public keys of accepted signers, in PEM. Repeatable.', parseWords)
    .option('--markdown <file>', 'Write the table as Markdown.')
    .option('--html <file>', 'Write the table as one HTML page.')
    .option('--json <file>', 'Write the table as JSON.')
    .option('--badges <folder>', "Write each implementation's badge as SVG.")
    .addHelpText('after', TABLE_HELP) as CommandLine;
  table.handle(async (flags: TableFlags, folder = '') => {
    const { tableCommand } = await import('./table.ts');
    return tableCommand(folder, flags, table.terminal);
  });
}
