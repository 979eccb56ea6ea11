/** A simulated process: the gateway's operations, jobs and deliveries, put together as createGateway does, without HTTP. */
import { readBundle } from '../../contract/src/model.ts';
import { createChannels } from '../../gateway/src/channel/channels.ts';
import { startRetention } from '../../gateway/src/jobs/retention.ts';
import { transactionJob } from '../../gateway/src/jobs/transaction-job.ts';
import { startWorker, type Worker } from '../../gateway/src/jobs/worker.ts';
import type { Services } from '../../gateway/src/operations/operation.ts';
import { createIds } from '../../gateway/src/platform/ids.ts';
import { storeTime } from '../../gateway/src/platform/merchant-time.ts';
import type { Report } from '../../gateway/src/platform/report.ts';
import { inBackground } from '../../gateway/src/store/store.ts';
import { startDeliveries } from '../../gateway/src/webhooks/delivery-job.ts';
import type { Disk, DiskEvents } from './disk.ts';
import type { Network } from './network.ts';
import type { Life, Scheduler } from './scheduler.ts';

const BUNDLE = readBundle();
const RETENTION_DAYS = 30;

interface ProcessOptions {
  readonly seed: string;
  readonly disk: Disk;
  readonly scheduler: Scheduler;
  readonly network: Network;
  readonly diskEvents: DiskEvents;
  readonly report: Report;
}

export class Process {
  readonly life: Life;
  readonly services: Services;
  readonly #disk: Disk;
  readonly #scheduler: Scheduler;
  readonly #workers: Worker[] = [];

  /** Starts it on what is durable. */
  constructor(name: string, { seed, disk, scheduler, network, diskEvents, report }: ProcessOptions) {
    this.life = { name, alive: true };
    this.#disk = disk;
    this.#scheduler = scheduler;
    const { life } = this;
    const clock = scheduler.clockOf(life);
    const timers = scheduler.timersOf(life);
    const store = disk.storeFor(life, scheduler, diskEvents);
    const reportAlive: Report = (error, about) => life.alive && report(error, { process: name, ...about });
    this.services = {
      ...{ store, clock, report: reportAlive },
      time: storeTime(clock),
      ids: createIds(seed),
      channels: createChannels(network.channelsOf(life), { timers }),
      checkoutUrl: (token) => `https://pay.example/checkout/${token}`,
      wake: () => {
        for (const worker of this.#workers) worker.wake();
      },
    };
    const background = { ...this.services, store: inBackground(store) };
    const log = { info: () => undefined };
    this.#workers.push(
      startWorker(transactionJob(background), clock, reportAlive),
      startDeliveries(
        background,
        { bundle: BUNDLE, allow: [], connections: network.senderOf(life), timers },
        (error, about) => reportAlive(error, { job: 'webhooks', ...about }),
      ),
      startRetention(background, { days: RETENTION_DAYS, onDeleted: () => undefined, log }, reportAlive),
    );
  }

  /** Ends it without closing anything: nothing of it runs on. */
  crash(): void {
    this.life.alive = false;
    this.#scheduler.removeAllOf(this.life);
    this.#disk.crash(this.life);
  }

  /** Ends its background work as a deployment does. Resolves when the work in progress has ended. */
  async stop(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.stop()));
  }
}
