/** Runs trials in several processes. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { startPostgres } from '../../tools/postgres.ts';
import { type OpenStore, openPostgresSchema, openSqliteFile } from './reference.ts';

/** Durability against a power cut is of no use here. */
const POSTGRES_SETTINGS = { fsync: 'off', full_page_writes: 'off', max_connections: '200' };

/** The work of all processes, and of one of them. */
export interface Assignment {
  readonly ids: readonly string[];
  /** Trials at a time in each process. */
  readonly concurrent: number;
  /** Runs every check for defects, instead of only the intended ones. */
  readonly allChecks?: boolean | undefined;
  /** Milliseconds since 1970 after which no trial starts. */
  readonly until?: number | undefined;
}

type Message = Assignment & { readonly postgres: string | undefined };

/** Runs trials in processes that run the file, on a server for all of them or in SQLite files. */
export async function runTrials<Result>(
  file: string,
  { store, processes, ...assignment }: Assignment & { readonly store: string; readonly processes: number },
  report: (result: Result) => void,
): Promise<void> {
  const postgres = store === 'postgres' ? await startPostgres(POSTGRES_SETTINGS) : undefined;
  const run = async (ids: readonly string[]) => {
    const child = fork(file);
    child.on('message', report);
    child.send({ ...assignment, ids, postgres: postgres?.url } satisfies Message);
    const [code] = await once(child, 'exit');
    if (code !== 0) throw new Error(`a process of the trial ended with ${code}; see its messages above`);
  };
  try {
    await Promise.all(share(assignment.ids, processes).map(run));
  } finally {
    await postgres?.close();
  }
}

/** Shares out the items in turn, one share for each process. */
function share<T>(items: readonly T[], processes: number): T[][] {
  return Array.from({ length: processes }, (_, index) =>
    items.filter((_item, position) => position % processes === index),
  ).filter((some) => some.length > 0);
}

/** In a process of `runTrials`: does its work, and ends. */
export function workOnTrials(work: (assignment: Assignment, open: OpenStore) => Promise<void>): void {
  process.once('disconnect', () => process.exit(1));
  process.once('message', ({ postgres, ...assignment }: Message) => {
    const open = postgres === undefined ? openSqliteFile : openPostgresSchema(postgres);
    work(assignment, open).then(
      () => process.exit(0),
      (error: Error) => {
        console.error(error);
        process.exit(1);
      },
    );
  });
}

/** Runs several trials at a time, and sends each result. */
export async function tryEach(
  { ids, concurrent, until = Number.POSITIVE_INFINITY }: Assignment,
  tryOne: (id: string) => Promise<unknown>,
): Promise<void> {
  const waiting = ids.values();
  const work = async () => {
    for (const id of waiting) {
      if (Date.now() > until) return;
      const result = await tryOne(id);
      await new Promise((resolve) => process.send?.(result, resolve));
    }
  };
  await Promise.all(Array.from({ length: concurrent }, work));
}
