/** The network between gateways and their peers: messages are delayed, reordered, lost and duplicated. */
import type { Channel, ChannelResponse } from '../../gateway/src/channels/channel.ts';
import { sandboxMethods } from '../../gateway/src/domain/methods.ts';
import type { SendResult } from '../../gateway/src/webhooks/retries.ts';
import type { Random } from '../tools/random.ts';
import type { Provider } from './provider.ts';
import type { Life, Scheduler } from './scheduler.ts';

/** Fractions of affected messages. All zero once faults have ended. */
export interface Weather {
  lost: number;
  slow: number;
  twice: number;
}

export const CALM: Weather = { lost: 0, slow: 0, twice: 0 };

/** An error of the simulated network. */
export class Lost extends Error {}

/** Timeout of a webhook's sender. */
const SENDER_MS_MAX = 15_000;
const SLOW_MS_MAX = 20_000;
/** Short, so that messages often collide. */
const QUICK_MS_MAX = 5;

const CHANNELS = [...new Set(sandboxMethods.flatMap(({ channels }) => Object.values(channels)))];

export type Mood = 'well' | 'failing' | 'hanging' | 'gone';

/** The merchants' endpoints: they respond, fail, hang or respond with 410, and record deliveries. */
export class Receivers {
  /** By URL; `well` by default. */
  readonly moods = new Map<string, Mood>();
  /** Accepted bodies by event id. */
  readonly accepted = new Map<string, string>();
  /** Deliveries that arrived. */
  arrived = 0;
  readonly #random: () => Random;

  constructor(random: () => Random) {
    this.#random = random;
  }

  /** Undefined for no response at all. */
  receive(url: string, headers: Readonly<Record<string, string>>, body: string): SendResult | undefined {
    this.arrived += 1;
    const id = Object.values(headers).find((value) => value.startsWith('evt_')) ?? '';
    const mood = this.moods.get(url) ?? 'well';
    if (mood === 'hanging') return undefined;
    if (mood === 'failing')
      return this.#random().of<SendResult>([{ status: 500 }, { failure: 'no response: ECONNREFUSED' }]);
    if (mood === 'gone') return { status: 410 };
    this.accepted.set(id, body);
    return { status: 204 };
  }
}

export class Network {
  weather: Weather = CALM;
  readonly #scheduler: Scheduler;
  readonly #provider: Provider;
  readonly #receivers: Receivers;

  constructor(scheduler: Scheduler, provider: Provider, receivers: Receivers) {
    this.#scheduler = scheduler;
    this.#provider = provider;
    this.#receivers = receivers;
  }

  /** Travel time of a message, in milliseconds; undefined if it never arrives. */
  travel(): number | undefined {
    const { random } = this.#scheduler;
    if (random.chance(this.weather.lost)) return undefined;
    return random.whole(0, random.chance(this.weather.slow) ? SLOW_MS_MAX : QUICK_MS_MAX);
  }

  /** Delivers a message, possibly late, twice or never. */
  send(deliver: () => void, life?: Life): void {
    const after = this.travel();
    if (after !== undefined) this.#scheduler.add(deliver, { after, ...(life && { life }) });
  }

  /** The channels of a process. */
  channelsOf(life: Life): Channel[] {
    const provider = this.#provider;
    return CHANNELS.map((name) => ({
      name,
      sandbox: true,
      notification: ({ body }) => body.toString(),
      initiate: (payment, now) => this.#call(life, () => this.#byClock(provider.initiate(payment), now)),
      clarify: (payment, items, now) => this.#call(life, () => this.#byClock(provider.clarify(payment, items), now)),
      verify: (payment, now) => this.#call(life, () => this.#byClock(provider.verify(payment), now)),
      cancel: (payment) => this.#call(life, () => provider.cancel(payment)),
      payOut: (payout, now) => this.#call(life, () => this.#byClock(provider.payOut(payout), now)),
      verifyPayout: (payout, now) => this.#call(life, () => this.#byClock(provider.verifyPayout(payout), now)),
    }));
  }

  /** The provider doesn't know merchants' clocks, so its requested time is relative to the merchant's current time. */
  #byClock<E>(answer: ChannelResponse<E>, now: number): ChannelResponse<E> {
    if (!('askAgainAt' in answer) || answer.askAgainAt === undefined) return answer;
    return { askAgainAt: now + answer.askAgainAt - this.#scheduler.now };
  }

  /** Sends webhooks for a process. */
  senderOf(life: Life) {
    return {
      send: (url: string, headers: Readonly<Record<string, string>>, body: string) =>
        new Promise<SendResult>((resolve) => {
          const late = this.#scheduler.add(() => resolve({ failure: 'no response within 15 s' }), {
            life,
            after: SENDER_MS_MAX,
          });
          const respond = (result: SendResult) => {
            this.#scheduler.remove(late);
            resolve(result);
          };
          this.send(() => {
            const result = this.#receivers.receive(url, headers, body);
            if (result) this.send(() => respond(result), life);
          });
        }),
      close: () => undefined,
    };
  }

  /** A call of the provider. */
  #call<T>(life: Life, act: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      let taken: 'done' | 'refused' | undefined;
      const arrive = () => {
        // A duplicated message has the same result as the first one.
        if (taken === 'refused' || (taken === 'done' && this.#provider.down)) return;
        taken = this.#provider.down ? 'refused' : 'done';
        try {
          if (taken === 'refused') this.#provider.refuse();
          const answer = act();
          this.send(() => resolve(answer), life);
        } catch (error) {
          this.send(() => reject(error), life);
        }
      };
      this.send(arrive);
      if (this.#scheduler.random.chance(this.weather.twice)) this.send(arrive);
    });
  }
}
