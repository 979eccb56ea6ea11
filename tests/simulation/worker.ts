/** A thread that runs seeds until one fails, then shrinks that run's history. */
import { registerHooks } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import type { Defect } from './defects.ts';
import type { RunOutcome } from './run.ts';

export interface Assignment {
  readonly seeds: readonly number[];
  /** A defect to find. */
  readonly defect?: Defect;
  readonly shrinks?: boolean;
}

/** Sent after each run. The first failure ends the thread. */
export interface RunReport {
  readonly outcome: RunOutcome;
  /** The same failure in fewer steps. */
  readonly shrunk?: RunOutcome;
}

const { seeds, defect, shrinks = false } = workerData as Assignment;
const GATEWAY = new URL('../../gateway/src/', import.meta.url).href;

if (defect) inject(defect);
// Loaded after the edits are installed.
const { Disk } = await import('./disk.ts');
const { shrink, simulate } = await import('./run.ts');

const disk = await Disk.open();
for (const seed of seeds) {
  const outcome = await simulate({ seed }, disk);
  const shrunk = outcome.broken && shrinks ? await shrink(outcome, disk) : undefined;
  parentPort?.postMessage({ outcome, ...(shrunk && { shrunk }) } satisfies RunReport);
  if (outcome.broken) break;
}

/** Replaces text of source files while they are loaded. */
function inject({ id, edits }: Defect): void {
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      const mine = edits.filter(({ file }) => url === GATEWAY + file);
      if (mine.length === 0) return loaded;
      let source = String(loaded.source instanceof Uint8Array ? Buffer.from(loaded.source) : loaded.source);
      for (const { find, replace, file } of mine) {
        if (source.split(find).length !== 2) throw new Error(`${id} doesn't fit ${file}: ${find}`);
        source = source.replace(find, () => replace);
      }
      return { ...loaded, source };
    },
  });
}
