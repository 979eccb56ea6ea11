/** Constants from the management API, in a meta tag of the page. */
import { facts as contractFacts } from '../shared/contract-facts.js';

/**
 * @typedef {import('../../../generated/decline-reasons.ts').DeclineText} DeclineText
 * @typedef {{ method: string, path: string, summary: string, role: string }} Change An operation that changes something
 * @typedef {import('../shared/contract-facts.js').Facts & {
 *   finalStatuses: string[], eventStates: string[], proposalStates: string[], settlement: string[],
 *   methods: Record<import('../shared/contract-facts.js').Kind, string[]>,
 *   declines: Record<import('../shared/contract-facts.js').Kind, Record<string, DeclineText>>,
 *   changes: Record<string, Change> }} Facts
 */

export const facts = /** @type {Facts} */ (contractFacts);
