/** The merchants' endpoints: they respond, fail, hang or respond with 410, and record deliveries. */
import type { SendResult } from '../../gateway/src/webhooks/retries.ts';
import type { Random } from '../tools/random.ts';

export type Mood = 'well' | 'failing' | 'hanging' | 'gone';

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
