/** Deletes merchants without an account, with all that belongs to them, when they expire. */
import { expiredMerchants, nextExpiry } from '../merchants/merchants.ts';
import { removeMerchant } from './handlers/merchants.ts';
import type { SandboxServices } from './operation.ts';

/** Maximum delay between expiry and deletion, and the pause after a failure. */
const POLL_MS = 60_000;
const BATCH = 50;

/**
 * Deletes what expires until the signal is aborted. A failure is reported, stops no other merchant's expiry, and the next
 * round makes up for it.
 */
export async function expireMerchants(services: SandboxServices, stopped: AbortSignal): Promise<void> {
  const { store, clock, report } = services;

  function fail(error: unknown): undefined {
    report(error, { job: 'expired merchants' });
  }

  /** Returns when the next one expires, or undefined after a failure. */
  async function round(): Promise<number | undefined> {
    const ids = await expiredMerchants(store.read, clock.now(), BATCH);
    let failed = false;
    for (const id of ids) {
      if (stopped.aborted) return undefined;
      await removeMerchant(services, id).catch((error: unknown) => {
        failed = true;
        fail(error);
      });
    }
    return failed ? undefined : ((await nextExpiry(store.read)) ?? Number.POSITIVE_INFINITY);
  }

  while (!stopped.aborted) {
    const next = await round().catch(fail);
    const poll = clock.now() + POLL_MS;
    await clock.until(Math.min(next ?? poll, poll), stopped);
  }
}
