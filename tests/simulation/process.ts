/** A simulated process: the gateway's operations and background work, without HTTP. */

import { readBundle } from '../../contract/src/model.ts';
import { createChannels } from '../../gateway/src/channels/channels.ts';
import { withCheckedResults } from '../../gateway/src/channels/results.ts';
import type { Store } from '../../gateway/src/database/store.ts';
import { sandboxMethods } from '../../gateway/src/domain/methods.ts';
import { createIds } from '../../gateway/src/platform/ids.ts';
import type { ReportFailure } from '../../gateway/src/platform/log.ts';
import { storeTime } from '../../gateway/src/platform/merchant-time.ts';
import type { WorkerPermit } from '../../gateway/src/platform/worker.ts';
import { MerchantClocks } from '../../gateway/src/sandbox/merchant-clocks.ts';
import { SandboxState } from '../../gateway/src/sandbox/sandbox-state.ts';
import { type BackgroundWork, deferWorkers, startBackgroundWork } from '../../gateway/src/transactions/background.ts';
import type { ClaimedTransaction } from '../../gateway/src/transactions/rows.ts';
import type { Services, Workers } from '../../gateway/src/transactions/services.ts';
import type { Delivery } from '../../gateway/src/webhooks/outbox.ts';
import type { Disk, DiskEvents } from './disk.ts';
import type { Network } from './network.ts';
import type { Life, Scheduler } from './scheduler.ts';

const BUNDLE = readBundle();
const RETENTION_DAYS = 30;

/** Called before each operation that the process starts. */
export interface Watch {
  onTransaction(dispatched: ClaimedTransaction): void;
  onDelivery(dispatched: Delivery, life: Life): void;
  onSend(url: string, life: Life): void;
}

interface ProcessOptions {
  readonly seed: string;
  readonly disk: Disk;
  readonly scheduler: Scheduler;
  readonly network: Network;
  readonly diskEvents: DiskEvents;
  readonly report: ReportFailure;
  readonly watch: Watch;
  /** Whether it serves a sandbox, whose merchants have clocks. Otherwise, processes share the database. */
  readonly hasSandbox: boolean;
}

/** Resources opened before the process starts. */
interface Opened {
  readonly store: Store;
  readonly sandboxState: SandboxState | undefined;
}

export class Process {
  readonly life: Life;
  readonly services: Services;
  /** Undefined without a sandbox. */
  readonly clocks: MerchantClocks | undefined;
  readonly #disk: Disk;
  readonly #scheduler: Scheduler;
  readonly #work: BackgroundWork;

  /** Starts the process on the durable state. Resolves when it has read the merchants' clocks. */
  static async start(name: string, options: ProcessOptions): Promise<Process> {
    const { disk, scheduler, diskEvents, hasSandbox } = options;
    const life = { name, alive: true };
    const store = disk.storeFor(life, scheduler, diskEvents);
    const sandboxState = hasSandbox ? new SandboxState({ store, clock: scheduler.clockOf(life) }) : undefined;
    await sandboxState?.load();
    return new Process(life, { ...options, store, sandboxState });
  }

  private constructor(
    life: Life,
    { seed, disk, scheduler, network, report, watch, store, sandboxState }: ProcessOptions & Opened,
  ) {
    this.life = life;
    this.#disk = disk;
    this.#scheduler = scheduler;
    const { name } = life;
    const clock = scheduler.clockOf(life);
    const timers = scheduler.timersOf(life);
    const reportAlive: ReportFailure = (error, about) => life.alive && report(error, { process: name, ...about });
    this.services = {
      ...{ store, clock, report: reportAlive },
      time: sandboxState ?? storeTime(clock),
      ids: createIds(seed),
      methods: sandboxMethods,
      channels: createChannels(sandboxMethods, network.channelsOf(life).map(withCheckedResults), { timers }),
      checkoutUrl: (token) => `https://pay.example/checkout/${token}`,
      workers: watchWorkers(
        deferWorkers(() => this.#work),
        watch,
        life,
      ),
    };
    const sender = network.senderOf(life);
    const send: typeof sender.send = (url, ...message) => {
      watch.onSend(url, life);
      return sender.send(url, ...message);
    };
    this.#work = startBackgroundWork(this.services, {
      deliveries: { bundle: BUNDLE, openSender: () => ({ ...sender, send }), timers },
      retention: { days: RETENTION_DAYS, onDeleted: () => undefined, log: { info: () => undefined } },
    });
    const work = this.#work;
    this.clocks = sandboxState && new MerchantClocks({ sandboxState, store, timers, wake: () => work.wake() });
  }

  /** Kills the process without closing resources. Its tasks stop. */
  crash(): void {
    this.life.alive = false;
    this.#scheduler.removeAllOf(this.life);
    this.#disk.crash(this.life);
  }

  /** Ends its background work as in a deployment. Resolves when the work in progress has ended. */
  async stop(): Promise<void> {
    await this.#work.stop();
  }
}

function watchWorkers(workers: Workers, watch: Watch, life: Life): Workers {
  return {
    ...workers,
    reserveTransaction: () => watchPermit(workers.reserveTransaction(), (claimed) => watch.onTransaction(claimed)),
    reserveDelivery: (merchantId, url) =>
      watchPermit(workers.reserveDelivery(merchantId, url), (delivery) => watch.onDelivery(delivery, life)),
  };
}

function watchPermit<T>(permit: WorkerPermit<T> | undefined, onStart: (item: T) => void): WorkerPermit<T> | undefined {
  if (!permit) return undefined;
  const start = (item: T) => {
    onStart(item);
    permit.start(item);
  };
  return { ...permit, start };
}
