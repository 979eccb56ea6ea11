/**
 * Starts gateways, given as JSON, one after the other. Node emits `beforeExit` when a process with a single start would
 * exit. The outcome is then printed as a line of JSON, and the next start follows. A start that leaves a handle open
 * prints nothing and keeps the process alive.
 */
import { runGateway } from '../../../gateway/src/commands/program.ts';
import type { Ran } from '../../../scripts/tools/process.ts';
import { collect } from '../../tools/collect.ts';

const starts = (JSON.parse(process.argv[2] ?? '') as { env: NodeJS.ProcessEnv; args: string[] }[]).values();
let ran: Ran | undefined;

process.on('beforeExit', async () => {
  if (ran) console.log(JSON.stringify(ran));
  ran = undefined;
  const { value } = starts.next();
  if (value === undefined) return;
  ran = await collect((terminal) => runGateway(value.args, { env: value.env, terminal }));
  // Node emits the event again only after further work, and some starts are refused immediately.
  setImmediate(() => undefined);
});
