import { describe, expect, it } from 'vitest';
import { expectNoTrap, inspectPages, SCREENS } from './inspection.ts';
import { settled } from './visit.ts';
import { type Filled, fill, visitOperators } from './visit-operators.ts';

/** Addresses and headings of the pages that are there without any data. */
const PAGES: [string, string][] = [
  ['/', 'Overview'],
  ['/payments', 'Payments'],
  ['/payments?since=2026-01-01T00:00&decline_reason=BANK_REJECTED', 'Payments'],
  ['/payouts', 'Payouts'],
  ['/events', 'Events'],
  ['/events?state=given_up', 'Events'],
  ['/stopped-urls', 'Stopped URLs'],
  ['/failing', 'Failing and stuck'],
  ['/ledger', 'Ledger'],
  ['/merchants', 'Merchants'],
  ['/channels', 'Channels'],
  ['/exceptions', 'Exceptions'],
  ['/differences', 'Differences'],
  ['/differences?state=accepted', 'Differences'],
  ['/proposals', 'Proposals'],
  ['/settlement?date=2026-03-02', 'Settlement'],
  ['/audit-log', 'Audit log'],
  ['/search', 'Search'],
  ['/search?search=customer', 'Search'],
  ['/nothing', 'Not found'],
];

const pagesOf = (filled: Filled): [string, string][] => [
  [`/payments/${filled.succeeded}`, '₹49,900.00'],
  [`/payments/${filled.declined}`, '₹499.00'],
  [`/payments/${filled.contradicted}`, '₹499.00'],
  [`/payments/${filled.silent}`, '₹499.00'],
  [`/payments/${filled.failing}`, '₹499.00'],
  [`/payouts/${filled.payout}`, '₹15,000.00'],
  [`/events/${filled.givenUp}`, 'Payment FAILED'],
  [`/proposals/${filled.proposal}`, 'Debit ₹2,500.00'],
  [`/merchants/${filled.merchant}`, 'Test merchant'],
  [`/ledger?merchant_id=${filled.merchant}&currency=INR`, 'Ledger'],
];

describe('every page for operators', () => {
  it.each(SCREENS)(
    'is accessible and fits, empty and full: %s',
    async (_screen, options) => {
      const visit = await visitOperators(options);
      await inspectPages(visit, PAGES, 'empty');
      const filled = await fill(visit);
      await inspectPages(visit, [...PAGES, ...pagesOf(filled)], 'full');
      expect({ foreign: visit.foreign, errors: visit.errors }).toEqual({ foreign: [], errors: [] });
    },
    180_000,
  );

  it('lets the focus through visibly', async () => {
    const visit = await visitOperators();
    const filled = await fill(visit);
    for (const [address, heading] of [...PAGES, ...pagesOf(filled)]) {
      await visit.goTo(address, heading);
      await settled(visit.page);
      await expectNoTrap(visit.page);
    }
  }, 180_000);
});
