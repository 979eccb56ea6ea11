/** A gateway in this process, and its client commands. */
import { type RunningGateway, startGateway } from '../../../gateway/src/index.ts';
import { afterwards } from '../harness/afterwards.ts';
import { createRunner } from './run-command.ts';

export async function started(): Promise<RunningGateway> {
  const gateway = await startGateway();
  afterwards(() => gateway.close());
  return gateway;
}

/** Runs a command. Returns its exit code and output. */
export async function runClient({ url, key }: { url: string; key: string }, ...argv: string[]) {
  const { code, stdout, stderr } = await createRunner({ GATEWAY_URL: url, API_KEY: key })(...argv);
  return { code, out: stdout, err: stderr };
}

/** Collects the lines printed to either stream by a command that ends with the test. */
export function following() {
  const stopping = new AbortController();
  const lines: string[] = [];
  const toStdout: string[] = [];
  const waiting = new Set<() => void>();
  const print = (text: string) => {
    lines.push(...text.trimEnd().split('\n'));
    for (const look of waiting) look();
  };
  const line = (pattern: RegExp) =>
    new Promise<string>((resolve) => {
      const look = () => {
        const found = lines.find((one) => pattern.test(one));
        if (found !== undefined && waiting.delete(look)) resolve(found);
      };
      waiting.add(look);
      look();
    });
  const out = (text: string) => {
    toStdout.push(text);
    print(text);
  };
  return { line, toStdout, stop: () => stopping.abort(), terminal: { out, err: print }, signal: stopping.signal };
}
