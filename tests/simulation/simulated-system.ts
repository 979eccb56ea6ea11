/**
 * A simulated system: gateways on one database, merchants, customers, a provider and receivers. With an odd seed, two
 * gateways share the database. With an even seed, one gateway serves a sandbox, whose merchants have clocks.
 */
import { readBundle } from '../../contract/src/model.ts';
import { readMachines } from '../../contract/src/reference-model.ts';
import { senderForm } from '../../contract/src/sender.ts';
import { type Row, StoreUnavailable } from '../../gateway/src/database/store.ts';
import { fundWallet } from '../../gateway/src/ledger/wallets.ts';
import { createMerchant, type Merchant } from '../../gateway/src/merchants/merchants.ts';
import { createSigningSecret } from '../../gateway/src/merchants/signing-secrets.ts';
import { createIds } from '../../gateway/src/platform/ids.ts';
import type { Fields } from '../../gateway/src/platform/log.ts';
import { type Random, seeded } from '../tools/random.ts';
import { BrokenRule } from './broken-rule.ts';
import { Callers } from './callers.ts';
import { Clocks } from './clocks.ts';
import { Deliveries } from './deliveries.ts';
import type { Disk, DiskEvents, DiskFault } from './disk.ts';
import { Model } from './model.ts';
import { CALM, Lost, Network, Receivers } from './network.ts';
import { Process, type Watch } from './process.ts';
import { hash, Provider } from './provider.ts';
import { type Life, Scheduler } from './scheduler.ts';

const MACHINES = readMachines(senderForm(readBundle()));
/** Mid-month, so that monthly limits don't roll over. */
const START = Date.UTC(2026, 2, 9, 12);
const MERCHANTS = 2;
const CURRENCY = 'INR';
const FUNDS = 25_000_000;
/** Delay before a failed start is retried. */
const RESTART_MS = 1_000;

export interface Counts {
  commits: number;
  crashes: number;
  webhooks: number;
  transactions: number;
  tasks: number;
}

export class SimulatedSystem {
  readonly seed: number;
  readonly hasSandbox: boolean;
  readonly scheduler: Scheduler;
  readonly disk: Disk;
  readonly receivers: Receivers;
  readonly provider: Provider;
  readonly network: Network;
  readonly clocks: Clocks;
  readonly model: Model;
  readonly deliveries: Deliveries;
  readonly callers: Callers;
  merchants: Merchant[] = [];
  /** The merchants' initial balances. */
  readonly funds = MERCHANTS * FUNDS;
  processes: Process[] = [];
  /** Processes that are shutting down, as in a deployment. */
  stopping = 0;
  /** The fault of the next operation of a process, by the process's name. */
  readonly faults = new Map<string, DiskFault>();
  /** The events so far, in words. */
  readonly history: string[] = [];
  broken: BrokenRule | undefined;
  commits = 0;
  crashes = 0;
  readonly #recorded: boolean;
  /** The current step. */
  step = 0;

  /** Records a history only if asked to, since it is slow. */
  constructor(seed: number, disk: Disk, recorded: boolean) {
    this.#recorded = recorded;
    this.seed = seed;
    this.hasSandbox = seed % 2 === 0;
    this.disk = disk;
    this.scheduler = new Scheduler(START, this.randomOf(0));
    this.receivers = new Receivers(() => this.scheduler.random);
    this.provider = new Provider(seed, this.scheduler, (id, channel) => this.callers.notify(id, channel));
    this.network = new Network(this.scheduler, this.provider, this.receivers);
    this.clocks = new Clocks(disk, this.scheduler);
    this.model = new Model(disk, MACHINES, this.provider, this.scheduler, this.clocks);
    this.deliveries = new Deliveries(disk, this.receivers, this.scheduler, this.clocks);
    this.callers = new Callers(this);
  }

  /** The choices of a step. */
  randomOf(step: number): Random {
    return seeded(hash(`${this.seed} ${step}`));
  }

  beginStep(step: number): Random {
    this.step = step;
    this.scheduler.random = this.randomOf(step);
    return this.scheduler.random;
  }

  /** Adds merchants with money and starts the processes. */
  async begin(): Promise<void> {
    this.disk.clear();
    const ids = createIds(`simulation ${this.seed}`);
    const db = this.disk.statements;
    for (let number = 1; number <= MERCHANTS; number++) {
      const merchant = await createMerchant(db, `Merchant ${number}`, START);
      await createSigningSecret(db, merchant.id, START, { ids });
      const posting = {
        id: ids.newId('led', START, merchant.id),
        merchantId: merchant.id,
        currency: CURRENCY,
        now: START,
      };
      await fundWallet(db, posting, FUNDS);
      this.merchants.push(merchant);
    }
    this.model.follow(this.disk.takeObserved());
    this.startProcess('gateway 1');
    if (!this.hasSandbox) this.startProcess('gateway 2');
  }

  startProcess(name: string): void {
    const options = {
      seed: `simulation ${this.seed}`,
      disk: this.disk,
      scheduler: this.scheduler,
      network: this.network,
      diskEvents: this.#diskEvents,
      report: (error: unknown, about?: Fields) => this.#report(error, about),
      watch: this.#watch,
      hasSandbox: this.hasSandbox,
    };
    Process.start(name, options).then(
      (process) => this.processes.push(process),
      // Restarts after a failed read of the database.
      (error) => {
        if (!(error instanceof StoreUnavailable)) return this.fail(error);
        this.scheduler.add(() => this.startProcess(name), { after: RESTART_MS });
      },
    );
  }

  /** Kills a process during its work. It restarts after a while. */
  crash(process: Process, restartAfterMs: number): void {
    this.crashes += 1;
    process.crash();
    this.#replace(process, restartAfterMs);
  }

  /** Ends a process as in a deployment. */
  stop(process: Process, restartAfterMs: number): void {
    this.processes = this.processes.filter((one) => one !== process);
    this.stopping += 1;
    process.stop().then(
      // A separate task, since a unit of work may be in progress.
      () =>
        this.scheduler.add(() => {
          this.stopping -= 1;
          process.crash();
          this.#replace(process, restartAfterMs);
        }),
      (error) => this.fail(error),
    );
  }

  /** Stops all processes permanently. */
  stopAll(): void {
    for (const process of this.processes) {
      this.stopping += 1;
      process.stop().then(
        () => {
          this.stopping -= 1;
        },
        (error) => this.fail(error),
      );
    }
  }

  #replace(process: Process, after: number): void {
    this.processes = this.processes.filter((one) => one !== process);
    this.scheduler.add(() => this.startProcess(process.life.name), { after });
  }

  note(text: () => string): void {
    if (!this.#recorded) return;
    this.history.push(`step ${this.step}, ${new Date(this.scheduler.now).toISOString().slice(8, 23)}: ${text()}`);
  }

  /** Keeps the first broken rule. */
  fail(error: unknown): void {
    this.broken ??=
      error instanceof BrokenRule
        ? error
        : new BrokenRule('an unexpected error', (error as Error).stack ?? String(error));
  }

  /** Ends all faults, so that pending work can complete. */
  heal(): void {
    this.faults.clear();
    this.provider.down = false;
    this.network.weather = CALM;
    for (const [url, mood] of this.receivers.moods) if (mood !== 'gone') this.receivers.moods.delete(url);
  }

  get counts(): Counts {
    const { commits, crashes } = this;
    const [webhooks, transactions] = [this.receivers.arrived, this.model.transactions.size];
    return { commits, crashes, webhooks, transactions, tasks: this.scheduler.ran };
  }

  #check(check: () => void): void {
    try {
      check();
    } catch (error) {
      this.fail(error);
    }
  }

  readonly #watch: Watch = {
    onTransaction: (dispatched) => this.#check(() => this.model.checkDispatch(dispatched)),
    onDelivery: ({ id }, life) => this.#check(() => this.deliveries.checkDispatch(id, life)),
    onSend: (url, life) => this.#check(() => this.deliveries.checkSending(url, life)),
  };

  readonly #diskEvents: DiskEvents = {
    onCommit: (changes: readonly Row[], life: Life) => {
      this.commits += 1;
      this.#check(() => {
        this.model.follow(changes);
        this.deliveries.follow(changes, life);
      });
      for (const change of changes) this.note(() => `${life.name} commits ${JSON.stringify(change)}`);
    },
    fails: (fault: DiskFault, life: Life) => {
      if (this.faults.get(life.name) !== fault) return false;
      this.faults.delete(life.name);
      this.note(() => `the disk fails for ${life.name}: ${fault}`);
      return true;
    },
  };

  /** Background work may fail only because of simulated faults. */
  #report(error: unknown, about: Fields | undefined): void {
    const expected = error instanceof StoreUnavailable || error instanceof Lost || isOfChannel(error);
    if (!expected)
      this.fail(new BrokenRule('background work fails', `${(error as Error).stack} ${JSON.stringify(about)}`));
  }
}

function isOfChannel(error: unknown): boolean {
  return error instanceof Error && /^CHANNEL_|did not respond to|its channel says/.test(error.message);
}
