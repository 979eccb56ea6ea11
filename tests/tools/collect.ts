import type { CommandTerminal } from '../../contract/src/cli.ts';
import type { Ran } from '../../scripts/tools/process.ts';

/** Runs a command in this process, and collects its output. */
export async function collect(command: (terminal: CommandTerminal) => Promise<number>): Promise<Ran> {
  const printed = { stdout: '', stderr: '' };
  const print = (stream: keyof typeof printed) => (text: string) => {
    printed[stream] += text;
  };
  const out = print('stdout');
  return { code: await command({ out, outRows: out, err: print('stderr') }), ...printed };
}
