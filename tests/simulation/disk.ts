/**
 * The database shared by simulated processes: SQLite in memory, behind the gateway's own queue and group commit.
 * Committed data survives a crash. Units of work run alone, as in SQLite, so a crash within one equals a crash before
 * it. Triggers record each commit's changes.
 */
import { DatabaseSync } from 'node:sqlite';
import { migrate } from '../../gateway/src/database/migrate.ts';
import { Statements } from '../../gateway/src/database/sqlite/statements.ts';
import { commitGroup } from '../../gateway/src/database/sqlite/store-on-connections.ts';
import { type Database, QUEUE_MAX, type Row, type Store, StoreUnavailable } from '../../gateway/src/database/store.ts';
import { UnitQueue } from '../../gateway/src/database/unit-queue.ts';
import type { Life, Scheduler } from './scheduler.ts';

/** Faults of the disk: before a write, at the commit, after it without a response, or on a read. */
export type DiskFault = 'before' | 'commit' | 'after' | 'read';

export interface DiskEvents {
  /** The changes of a commit, in order. */
  onCommit(changes: readonly Row[], life: Life): void;
  /** Returns whether the disk fails now. */
  fails(fault: DiskFault, life: Life): boolean;
}

const TRIGGERS = [
  'create table observed (seq integer primary key, what text, id text, was text, became text, a, b, c, d, e, f)',
  `create trigger t1 after insert on transactions begin
     insert into observed (what, id, became, b) values ('created', new.id, new.status, new.version); end`,
  `create trigger t2 after update on transactions begin
     insert into observed (what, id, was, became, a, b, c, d, e, f) values ('moved', new.id, old.status, new.status,
       old.version, new.version, old.next_attempt_at, new.next_attempt_at, new.failures - old.failures,
       json_extract(new.state, '$.dueAt')); end`,
  `create trigger t3 after insert on events begin
     insert into observed (what, id, became, a, b) values ('event', new.id, json_extract(new.body, '$.status'),
       new.transaction_id, new.next_at); end`,
  `create trigger t4 after update on events begin
     insert into observed (what, id, a, b, c, d, e, f) values ('delivery', new.id, old.next_at, new.next_at, old.attempts,
       new.attempts, new.delivered_at, new.claim); end`,
  `create trigger t5 after insert on ledger_entries begin
     insert into observed (what, id, was, became, a, b, c, d, e) values ('entry', new.transaction_id, new.from_account,
       new.to_account, new.amount, new.id, new.merchant_id, new.currency, new.available_at); end`,
  `create trigger t6 after insert on stopped_urls begin
     insert into observed (what, id) values ('stopped', new.url); end`,
  `create trigger t7 after update of settled_until on wallets when new.settled_until <> old.settled_until begin
     insert into observed (what, id, a, b) values ('settled', new.merchant_id, new.currency, new.settled_until); end`,
  ...['insert', 'update'].map(
    (change) => `create trigger clock_${change} after ${change} on sandbox_settings begin
      insert into observed (what, id, became) values ('clock', new.merchant_id, json_extract(new.settings, '$.clock')); end`,
  ),
];

/** A connection whose commits fail on demand. */
class Connection extends Statements {
  onCommit: () => void = () => undefined;
  failsToCommit: () => boolean = () => false;
  override async run(sql: string, ...values: Parameters<Statements['run']>[1][]): Promise<number> {
    if (sql === 'commit' && this.failsToCommit()) throw new Error('disk I/O error');
    const changed = await super.run(sql, ...values);
    if (sql === 'commit') this.onCommit();
    return changed;
  }
}

export class Disk {
  readonly #raw = new DatabaseSync(':memory:');
  readonly #connection = new Connection(this.#raw);
  #tables: readonly string[] = [];
  #writer: Life | undefined;

  /** A database with the gateway's tables. */
  static async open(): Promise<Disk> {
    const disk = new Disk();
    await migrate(disk.quietStore());
    for (const sql of TRIGGERS) disk.#raw.exec(sql);
    const tables = disk.#raw.prepare("select name from sqlite_schema where type = 'table'").all();
    disk.#tables = tables.map(({ name }) => String(name)).filter((name) => name !== 'schema_version');
    return disk;
  }

  /** Runs statements synchronously for callers outside the simulation. */
  get statements(): Statements {
    return this.#connection;
  }

  /** The current rows. */
  rows(sql: string, ...values: (string | number)[]): Row[] {
    return this.#prepare(sql).all(...values) as Row[];
  }

  /** Empties all tables. */
  clear(): void {
    if (this.#connection.isTransaction) this.#raw.exec('rollback');
    this.#writer = undefined;
    this.#raw.exec('pragma foreign_keys = off');
    for (const table of this.#tables) this.#raw.exec(`delete from ${table}`);
    this.#raw.exec('pragma foreign_keys = on');
  }

  /** Discards a process's uncommitted writes. */
  crash(life: Life): void {
    if (this.#writer !== life) return;
    if (this.#connection.isTransaction) this.#raw.exec('rollback');
    this.#writer = undefined;
  }

  /** A store without a scheduler and without failures. */
  quietStore(): Store {
    const unit = async <T>(work: (db: Database) => Promise<T>): Promise<T> => work(this.#connection);
    return {
      kind: 'sqlite',
      isShared: false,
      read: this.#connection,
      unit,
      longUnit: unit,
      snapshot: unit,
      ping: async () => undefined,
      hasTable: async (name) => this.rows('select 1 from sqlite_schema where name = ?', name).length > 0,
      close: async () => undefined,
    };
  }

  /** The store of a process. */
  storeFor(life: Life, scheduler: Scheduler, events: DiskEvents): Store {
    const fail = (fault: DiskFault) => {
      if (events.fails(fault, life)) throw new StoreUnavailable(`the disk fails: ${fault}`);
    };
    const read = <T>(run: () => Promise<T>) =>
      new Promise<T>((resolve, reject) => {
        scheduler.add(
          () => {
            if (events.fails('read', life)) reject(new StoreUnavailable('the disk fails: read'));
            else run().then(resolve, reject);
          },
          { life },
        );
      });
    const parts = {
      writer: this.#connection,
      reader: { refresh: () => undefined },
      log: {
        requireHealthy: () => fail('before'),
        sync: () => new Promise<void>((resolve) => scheduler.add(resolve, { life })).then(() => fail('after')),
      },
    };
    const commit = async (units: Parameters<typeof commitGroup>[1]) => {
      while (this.#writer !== undefined)
        await new Promise<void>((resolve) => scheduler.add(resolve, { life, after: 1 }));
      this.#writer = life;
      this.#connection.failsToCommit = () => events.fails('commit', life);
      this.#connection.onCommit = () => {
        this.#writer = undefined;
        events.onCommit(this.takeObserved(), life);
      };
      await commitGroup(parts, units);
      if (this.#writer === life) this.#writer = undefined;
    };
    const queue = new UnitQueue(commit, { max: QUEUE_MAX, timers: scheduler.timersOf(life) });
    const unit: Store['unit'] = (work, { priority = 'caller' } = {}) =>
      new Promise((resolve, reject) => {
        queue.add({ work, resolve: resolve as (value: unknown) => void, reject }, priority);
      });
    return {
      ...this.quietStore(),
      read: {
        keys: this.#connection.keys,
        all: (sql, ...values) => read(() => this.#connection.all(sql, ...values)),
        get: (sql, ...values) => read(() => this.#connection.get(sql, ...values)),
        run: (sql, ...values) => read(() => this.#connection.run(sql, ...values)),
        write: (statement, ...values) => read(() => this.#connection.write(statement, ...values)),
      },
      unit,
      longUnit: (work) => unit(work),
      snapshot: (work) => read(() => work(this.#connection)),
    };
  }

  /** Returns the changes since the last call. */
  takeObserved(): Row[] {
    const rows = this.rows('select * from observed order by seq');
    if (rows.length > 0) this.#prepare('delete from observed').run();
    return rows;
  }

  readonly #prepared = new Map<string, ReturnType<DatabaseSync['prepare']>>();
  #prepare(sql: string) {
    let statement = this.#prepared.get(sql);
    if (!statement) {
      statement = this.#raw.prepare(sql);
      this.#prepared.set(sql, statement);
    }
    return statement;
  }
}
