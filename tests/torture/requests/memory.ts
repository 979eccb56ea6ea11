/**
 * Whether the gateway leaks memory on rejected requests. Memory grows between garbage collections, so only minimums are
 * compared: the lowest early reading with the lowest late one.
 */
import type { Server } from '../../tools/server.ts';

/** Metrics of the gateway: V8's used heap, and external memory. */
const METRICS = ['nodejs_heap_size_used_bytes', 'nodejs_external_memory_bytes'];
/** The compared fractions of the run. */
const EARLY = { from: 0.3, to: 0.55 };
const LATE = { from: 0.75, to: 1 };
const LOOKS = 400;
/** Fewer requests are inconclusive: with 60,000, the late part often has no full collection. */
const REQUESTS_MIN = 100_000;
const GROWTH_MAX_BYTES = 2.5e6;

export class Memory {
  readonly #gateway: Server;
  readonly #requests: number;
  readonly #every: number;
  #early = Number.POSITIVE_INFINITY;
  #late = Number.POSITIVE_INFINITY;

  /** Limit for a gateway under this load. */
  constructor(gateway: Server, requests: number) {
    this.#gateway = gateway;
    this.#requests = requests;
    this.#every = Math.ceil(requests / LOOKS);
  }

  /** Called after each request with its number. Takes a reading at intervals. */
  async look(number: number): Promise<void> {
    if (!this.#isTelling || number % this.#every !== 0 || !this.#gateway.alive()) return;
    const part = number / this.#requests;
    const bytes = await inUse(this.#gateway.url);
    if (part >= EARLY.from && part < EARLY.to) this.#early = Math.min(this.#early, bytes);
    if (part >= LATE.from && part < LATE.to) this.#late = Math.min(this.#late, bytes);
  }

  /** Describes a leak, if any. */
  complaint(): string | undefined {
    if (!this.#isTelling || this.#late - this.#early <= GROWTH_MAX_BYTES) return undefined;
    return `the gateway keeps memory: ${this.shown()}`;
  }

  shown(): string {
    const mb = (bytes: number) => (bytes / 1e6).toFixed(1);
    return this.#isTelling ? `${mb(this.#early)} MB, late ${mb(this.#late)} MB` : 'too few requests to tell';
  }

  get #isTelling(): boolean {
    return this.#requests >= REQUESTS_MIN;
  }
}

async function inUse(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return METRICS.reduce((sum, name) => sum + Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]), 0);
}
