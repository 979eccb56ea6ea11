/** The reference's chapter on the test data of the sandbox. */
import { table } from '../../contract/src/markdown.ts';
import { RESERVED } from '../../gateway/src/channels/scenarios.ts';
import { METHODS_PAGE } from './payment-methods.ts';
import { codes } from './pieces.ts';

/** Markdown for the chapter, to stand after the decline reasons. */
export function sandboxChapter(): string {
  return [
    '## Test data',
    'The channels are simulated: no money moves, and the customer or the account selects the outcome, without the operations above.',
    'A transaction with test data needs nothing else: you can omit otherwise required data. ' +
      "Customers who are declined at once always get that reason. With the others, the amount, the currency and the wallet still matter. The limits per day and per month don't apply.",
    `Customer IDs that begin with ${codes(RESERVED['customer.id'])} and accounts that begin with ${codes(RESERVED['customer.account_number'])} are reserved. ` +
      'Unknown values with these prefixes are refused with status 400, as are values without an effect in the flow of the payment.',
    '### Test payments',
    `[Payment methods](${METHODS_PAGE}.md#test-customers-of-payments) lists the test customers, and the page of the [payment decline reasons](PaymentDeclineReason.md) the customers of each code. A payment of any other customer succeeds as soon as it is paid.`,
    '### Test payouts',
    `[Payment methods](${METHODS_PAGE}.md#test-customers-of-payouts) lists the test customers, and the page of the [payout decline reasons](PayoutDeclineReason.md) the customers and accounts of each code. If both are test data, the customer decides. Any other payout succeeds at once if the wallet covers it.`,
    '### Causes without test data',
    table(
      ['Reason', 'How to cause it'],
      [
        [
          '`CURRENCY_NOT_SUPPORTED`',
          "A currency that the method doesn't support, or for a payout one that the wallet doesn't have.",
        ],
        [
          '`METHOD_NOT_SUPPORTED`',
          `A \`payment_method_type\` that isn't one of the [payment methods](${METHODS_PAGE}.md).`,
        ],
        ['`INVALID_AMOUNT`', 'An amount outside the limits of the method.'],
        ['`LIMIT_EXCEEDED`', 'More for one customer in a day or a month than the method allows.'],
        ['`INVALID_CUSTOMER_DETAILS`', 'A payment without the customer data that its method requires.'],
        [
          '`INVALID_ACCOUNT_DETAILS`',
          'A payout without the account data that its method requires, or an account of the wrong form.',
        ],
        ['`INSUFFICIENT_BALANCE`', 'A payout over more than is available.'],
        ['`CANCELLED_BY_CUSTOMER`', 'The customer cancels on the payment page.'],
        ['`TIMEOUT_EXPIRED`', 'A payment without an action by the customer until its validity ends.'],
      ],
    ),
  ].join('\n\n');
}
