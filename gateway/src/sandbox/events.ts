/** Events as the document describes them. */
import type { EventSummary } from '../../../generated/sandbox/types.ts';
import { viewEvent } from '../management/events.ts';
import type { StoredEvent } from '../webhooks/merchant-events.ts';
import type { SandboxState } from './sandbox-state.ts';
import { timeOf } from './settings.ts';

/** An event of the merchant, with the time of its next attempt by the merchant's clock. */
export function summarizeEvent(event: StoredEvent, sandboxState: SandboxState): EventSummary {
  const { merchantId, nextAt, state } = event;
  const shown = state === 'given_up' || state === 'stopped' ? 'failed' : state;
  const { clock } = sandboxState.of(merchantId);
  const next = nextAt === undefined ? undefined : timeOf(nextAt, clock, sandboxState.storeNow());
  return { ...viewEvent(event, next ?? null), state: shown };
}
