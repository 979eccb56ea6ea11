/** Texts for a decline reason that the contract's tables don't list. Such reasons occur. */
import type { DeclineText } from '../../generated/decline-reasons.ts';

export const UNKNOWN_DECLINE: DeclineText = {
  meaning: 'Declined',
  likely_cause: 'The service gave a reason that the tables of the contract do not list.',
  suggested_action: 'Try another method or contact support, and quote the code.',
  retry: 'changed',
  acts: 'merchant',
};
