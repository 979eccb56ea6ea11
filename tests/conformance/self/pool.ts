/** Runs trials in several processes. */
import { fork } from 'node:child_process';
import { once } from 'node:events';

/** Shares out the items in turn, one share for each process. */
export function share<T>(items: readonly T[], processes: number): T[][] {
  return Array.from({ length: processes }, (_, index) =>
    items.filter((_item, position) => position % processes === index),
  ).filter((some) => some.length > 0);
}

/** Runs a module in a process that gets the assignment as a message. Resolves when it ends; rejects if it fails. */
export async function runWorker<Result>(
  file: string,
  assignment: object,
  report: (result: Result) => void,
): Promise<void> {
  const child = fork(file);
  child.on('message', report);
  child.send(assignment);
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`a process of the trial ended with ${code}; see its messages above`);
}
