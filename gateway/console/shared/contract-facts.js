/** Facts of the contract, from a meta tag of the shell. */

/**
 * @typedef {'payment' | 'payout'} Kind
 * @typedef {{ currencies: string[], minorUnits: Record<string, number>, statuses: Record<Kind, string[]>,
 *   declineReasons: Record<Kind, string[]>, webhooks: string[] }} Facts
 */

const content = document.querySelector('meta[name="contract-facts"]')?.getAttribute('content');

/** @type {Facts} */
export const facts = JSON.parse(content ?? '{}');
