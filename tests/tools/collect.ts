import type { Terminal } from '../../contract/src/cli.ts';
import type { Ran } from '../../scripts/tools/process.ts';

/** Runs a command in this process, and collects what it prints. */
export async function collect(command: (terminal: Terminal) => Promise<number>): Promise<Ran> {
  const printed = { stdout: '', stderr: '' };
  const print = (stream: keyof typeof printed) => (text: string) => {
    printed[stream] += text;
  };
  return { code: await command({ out: print('stdout'), err: print('stderr') }), ...printed };
}
