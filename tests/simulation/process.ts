/** A simulated process: the gateway's operations and background work, without HTTP. */
import { readBundle } from '../../contract/src/model.ts';
import { type BackgroundWork, laterWorkers, startBackgroundWork } from '../../gateway/src/background.ts';
import { createChannels } from '../../gateway/src/channel/channels.ts';
import type { Services } from '../../gateway/src/operations/operation.ts';
import type { Place, Workers } from '../../gateway/src/operations/workers.ts';
import { createIds } from '../../gateway/src/platform/ids.ts';
import { storeTime } from '../../gateway/src/platform/merchant-time.ts';
import type { Report } from '../../gateway/src/platform/report.ts';
import type { Delivery } from '../../gateway/src/store/outbox.ts';
import type { ClaimedTransaction } from '../../gateway/src/store/transactions.ts';
import type { Disk, DiskEvents } from './disk.ts';
import type { Network } from './network.ts';
import type { Life, Scheduler } from './scheduler.ts';

const BUNDLE = readBundle();
const RETENTION_DAYS = 30;

/** Called with what a process begins, before it does. */
export interface Watch {
  onTransaction(handedOver: ClaimedTransaction): void;
  onDelivery(handedOver: Delivery, life: Life): void;
  onSend(url: string, life: Life): void;
}

interface ProcessOptions {
  readonly seed: string;
  readonly disk: Disk;
  readonly scheduler: Scheduler;
  readonly network: Network;
  readonly diskEvents: DiskEvents;
  readonly report: Report;
  readonly watch: Watch;
}

export class Process {
  readonly life: Life;
  readonly services: Services;
  readonly #disk: Disk;
  readonly #scheduler: Scheduler;
  readonly #work: BackgroundWork;

  /** Starts it on what is durable. */
  constructor(name: string, { seed, disk, scheduler, network, diskEvents, report, watch }: ProcessOptions) {
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
      workers: watchWorkers(
        laterWorkers(() => this.#work),
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
      deliveries: { bundle: BUNDLE, allow: [], connections: { ...sender, send }, timers },
      retention: { days: RETENTION_DAYS, onDeleted: () => undefined, log: { info: () => undefined } },
    });
  }

  /** Ends it without closing anything: nothing of it runs on. */
  crash(): void {
    this.life.alive = false;
    this.#scheduler.removeAllOf(this.life);
    this.#disk.crash(this.life);
  }

  /** Ends its background work as a deployment does. Resolves when the work in progress has ended. */
  async stop(): Promise<void> {
    await this.#work.stop();
  }
}

function watchWorkers(workers: Workers, watch: Watch, life: Life): Workers {
  return {
    ...workers,
    reserveTransaction: () => watchPlace(workers.reserveTransaction(), (claimed) => watch.onTransaction(claimed)),
    reserveDelivery: (merchantId, url) =>
      watchPlace(workers.reserveDelivery(merchantId, url), (delivery) => watch.onDelivery(delivery, life)),
  };
}

function watchPlace<T>(place: Place<T> | undefined, onStart: (item: T) => void): Place<T> | undefined {
  if (!place) return undefined;
  const start = (item: T) => {
    onStart(item);
    place.start(item);
  };
  return { ...place, start };
}
