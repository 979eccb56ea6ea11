/** The reference's chapter on the sandbox, made from the rows that decide what the simulator does. */
import { table } from '../../contract/src/markdown.ts';
import { RESERVED, SCENARIOS, type Scenario } from '../../gateway/src/channels/scenarios.ts';
import { METHODS_PAGE } from './payment-methods.ts';
import { codes } from './pieces.ts';

/** Markdown for the chapter, to stand after the decline reasons. */
export function sandboxChapter(): string {
  return [
    '## Test data',
    'The channels are simulated: no money moves, and the customer or the account selects the outcome, without the operations above.',
    'A transaction with test data needs nothing else: you can omit otherwise required data. ' +
      "Customers who are declined at once always get that reason. With the others, the amount, the currency and the wallet still matter. The limits per day and per month don't apply.",
    `Customer ids that begin with ${codes(RESERVED['customer.id'])} and accounts that begin with ${codes(RESERVED['customer.account_number'])} are reserved. ` +
      'Other values with these prefixes are refused with status 400, as are values without an effect in the flow of the payment.',
    '### Test payments',
    'The payment of a customer who is not in the table succeeds as soon as it is paid.',
    ...scenarioTables('payment'),
    '### Test payouts',
    'A payout to a customer and an account that are not in the tables succeeds at once if the wallet covers it. If both are in a table, the customer decides.',
    ...scenarioTables('payout'),
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
    '### Methods',
    `[Payment methods](${METHODS_PAGE}.md) has the limits, the required data and the channels of each method.`,
  ].join('\n\n');
}

/** A table for each field that selects an outcome. */
function scenarioTables(kind: Scenario['kind']): string[] {
  const rows = SCENARIOS.filter((scenario) => scenario.kind === kind);
  return [...new Set(rows.map(({ field }) => field))].map((field) =>
    table(
      [`\`${field}\``, 'What happens'],
      rows.filter((row) => row.field === field).map(({ value, summary }) => [`\`${value}\``, summary]),
    ),
  );
}
