/**
 * Power cuts on SQLite. A gateway runs under load while its writes and syncs are recorded. From the records, the test
 * rebuilds the files as a power cut may leave them, opens them, and compares them with the acknowledged states.
 */
import { spawnSync } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { readBundle } from '../../../contract/src/model.ts';
import { readMachines } from '../../../contract/src/reference-model.ts';
import { senderForm } from '../../../contract/src/sender.ts';
import { listDamages } from '../../../gateway/src/database/sqlite/database-file.ts';
import { openSqlite } from '../../../gateway/src/database/sqlite/sqlite-store.ts';
import type { Store } from '../../../gateway/src/database/store.ts';
import { readKind } from '../../../gateway/src/domain/transaction.ts';
import { auditStore } from '../../../gateway/src/management/audit.ts';
import { run } from '../../../scripts/tools/process.ts';
import { seeded } from '../../tools/random.ts';
import { temporaryFolder } from '../harness.ts';
import { type Change, Disk, parseTrace } from './power-cuts/disk.ts';

const STATES = 1_000;
const ORDERS = 150;
const DATABASE = 'gateway.db';
const LOG = `${DATABASE}-wal`;
const ACKNOWLEDGED = 'acknowledged';
const MACHINES = readMachines(senderForm(readBundle()));
const HERE = join(import.meta.dirname, 'power-cuts');
/** The system's C compiler, which no package includes. */
const COMPILER = 'cc';
/** The recorder needs LD_PRELOAD, /proc and a C compiler. */
const CAN_RECORD = process.platform === 'linux' && spawnSync(COMPILER, ['--version']).status === 0;

interface Acknowledged {
  readonly id: string;
  readonly order: string;
  readonly status: string;
}

let changes: Change[] = [];

beforeAll(async () => {
  if (!CAN_RECORD) return;
  const folder = await temporaryFolder();
  const [recorder, trace, data] = [join(folder, 'recorder.so'), join(folder, 'trace'), join(folder, 'data')];
  await mkdir(data);
  await run(COMPILER, ['-shared', '-fPIC', '-O1', '-o', recorder, join(HERE, 'record-writes.c'), '-ldl']);
  await run(process.execPath, [join(HERE, 'recorded-gateway.ts'), String(ORDERS)], {
    cwd: data,
    env: { RECORD_FOLDER: data, RECORD_TRACE: trace, LD_PRELOAD: recorder },
  });
  changes = parseTrace(await readFile(trace));
});

/** Cuts the power at random changes of a disk that ignores the syncs of a file. Returns the differences found afterwards. */
async function cutPower(states: number, seed: number, ignored?: string): Promise<string[]> {
  const random = seeded(seed);
  const disk = new Disk();
  // The database already has its tables.
  const first = changes.findIndex(({ file }) => file === ACKNOWLEDGED);
  const cuts = Array.from({ length: states }, () => random.whole(first, changes.length)).toSorted((a, b) => a - b);
  const acknowledged: Acknowledged[] = [];
  const findings: string[] = [];
  for (const [index, cut] of cuts.entries()) {
    for (const change of changes.slice(cuts[index - 1] ?? 0, cut)) {
      if (change.file !== ACKNOWLEDGED) disk.change(change, change.file !== ignored);
      else if (change.kind === 'write') acknowledged.push(JSON.parse(change.data.toString()));
    }
    const found = await examine(disk.cutPower(random), acknowledged);
    findings.push(...found.map((finding) => `seed ${seed}, cut after change ${cut}: ${finding}`));
  }
  expect(acknowledged.length).toBeGreaterThan(ORDERS);
  return findings;
}

/** Opens the files, and compares them with the acknowledged states. */
async function examine(files: Map<string, Buffer>, acknowledged: readonly Acknowledged[]): Promise<string[]> {
  const folder = await temporaryFolder('/dev/shm');
  for (const name of [DATABASE, LOG]) await writeFile(join(folder, name), files.get(name) ?? '');
  const path = join(folder, DATABASE);
  let store: Store | undefined;
  try {
    store = openSqlite(path);
    const { differences } = await auditStore(store);
    return [...listDamages(path), ...differences, ...(await compare(store, acknowledged))];
  } catch (error) {
    return [(error as Error).message];
  } finally {
    await store?.close();
    // All states together would fill the memory.
    await rm(folder, { recursive: true });
  }
}

async function compare({ read }: Store, acknowledged: readonly Acknowledged[]): Promise<string[]> {
  const rows = await read.all(
    `select t.id, t.order_id, t.status, (select count(*) from events e
       where e.transaction_id = t.id and json_extract(e.body, '$.status') = t.status) as webhooks from transactions t`,
  );
  const stored = new Map(rows.map((row) => [row['order_id'], { id: row['id'], status: String(row['status']) }]));
  const lost = acknowledged.filter(({ id, order, status }) => {
    const found = stored.get(order);
    return found?.id !== id || !MACHINES.follows(readKind(id), status, found.status);
  });
  const unreported = rows.filter(({ id, status, webhooks }) => {
    return MACHINES.isFinal(readKind(String(id)), String(status)) && Number(webhooks) !== 1;
  });
  return [
    ...(rows.length === stored.size ? [] : [`${rows.length} transactions of ${stored.size} orders`]),
    ...lost.map(
      (state) => `${JSON.stringify(state)} was acknowledged, then ${JSON.stringify(stored.get(state.order))}`,
    ),
    ...unreported.map(({ id, webhooks }) => `the end of ${id} has ${webhooks} webhooks`),
  ];
}

describe.skipIf(!CAN_RECORD)(`a power cut${CAN_RECORD ? '' : ' (skipped: install a C compiler)'}`, () => {
  it('loses no acknowledged state and repeats none', async () => {
    // Uses a new seed each time, printed with each finding.
    const seed = Math.floor(Math.random() * 2 ** 32);
    expect(await cutPower(STATES, seed)).toEqual([]);
  });

  it.each([LOG, DATABASE])('loses acknowledged states if the disk ignores syncs of %s', async (ignored) => {
    expect(await cutPower(20, 1, ignored)).not.toEqual([]);
  });
});
