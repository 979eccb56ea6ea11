/** The chapter on payment and payout methods, from the gateway's methods and the sandbox's test customers. */
import { formatMoney } from '../../client/src/money.ts';
import { table } from '../../contract/src/markdown.ts';
import { SCENARIOS } from '../../gateway/src/channels/scenarios.ts';
import { contractMethods, type Method, sandboxMethods, selectChannel } from '../../gateway/src/domain/methods.ts';
import { slug } from './addresses.ts';
import type { Page } from './page.ts';
import { CREATES, codes, joined, testValue } from './pieces.ts';

/** The page's name. */
export const METHODS_PAGE = 'payment-methods';

/** Digits are grouped as in the country of the currency. */
const LOCALES: Readonly<Record<string, string>> = { INR: 'en-IN' };

const HOUR_MS = 3_600_000;

const FLOWS: Readonly<Record<string, string>> = {
  h2h: '[host to host](flows.md#host-to-host-your-part)',
  redirect: '[redirect](flows.md#redirect-your-part)',
};

/** The pages of decline codes. */
const DECLINES = { payment: 'PaymentDeclineReason', payout: 'PayoutDeclineReason' };

const TRUSTED = { kyc_level: 'TRUSTED' };

/** The methods of a live gateway's defaults, or of a sandbox. */
const listMethods = (isLive: boolean) => (isLive ? contractMethods : sandboxMethods);

export function methodsPage(isLive: boolean): Page {
  const methods = listMethods(isLive);
  return {
    name: METHODS_PAGE,
    title: 'Payment methods',
    summary: [...new Set(methods.map(({ name }) => name))].join(', '),
    markdown: joined([
      `The contract names \`${contractMethods.map(({ name }) => name).join('` and `')}\`, and your provider tells you its other methods. ([enums-open](assumptions.md#enums-open))`,
      isLive
        ? 'These are the defaults of this gateway, which its operator can change.'
        : 'Your provider also sets the [limits](limits.md#figures) and the required data. The values below apply to the sandbox. Methods marked “sandbox only” stand in for the other methods of a real service.',
      ...[...new Set(methods.map(({ name }) => name))].map((name) => methodSection(name, isLive)),
      !isLive && testCustomers('payment'),
      !isLive && testCustomers('payout'),
    ]),
  };
}

/** When the sandbox settles payments. */
export function describeSettlement(): string {
  const seconds = new Set(
    sandboxMethods.filter(({ kind }) => kind === 'payment').map((one) => one.settlementMs / 1_000),
  );
  return `The amount of a payment becomes available ${[...seconds].join(' or ')} seconds after \`SUCCESS\`, by the merchant's clock.`;
}

/** The amounts and the time that the methods allow. */
export function limitsTable(isLive: boolean): string {
  return table(
    ['Method', 'Kind', 'One transaction', 'A customer, per day', 'Per month (UTC)', 'Time to pay'],
    listMethods(isLive).map((method) => {
      const { min, max, perDay, perMonth } = method.limits;
      return [
        `[\`${method.name}\`](${METHODS_PAGE}.md#${slug(method.name)})`,
        method.kind,
        `${money(method, min)} to ${money(method, max)}`,
        money(method, perDay),
        money(method, perMonth),
        method.kind === 'payment' ? duration(method.validityMs) : '–',
      ];
    }),
  );
}

/** Two methods, for payments and payouts, can have the same name. */
function methodSection(name: string, isLive: boolean): string {
  const own = listMethods(isLive).filter((method) => method.name === name);
  const [first] = own as [Method];
  return joined([
    `## ${name}`,
    `${first.title}${first.sandbox ? ', sandbox only' : ''}.`,
    ...own.map((method) => methodFacts(method, isLive)),
  ]);
}

function methodFacts(method: Method, isLive: boolean): string {
  const { kind, currencies, flows, requires, clarify, confirm, account, limits } = method;
  const [standard, trusted] = [selectChannel(method, {}), selectChannel(method, TRUSTED)];
  const rows: [name: string, value: string | false][] = [
    ['Flow', kind === 'payment' && flows.map((flow) => FLOWS[flow] ?? flow).join(' or ')],
    [
      'Required data',
      requires.length > 0 && `${fields(requires)}. Without it, the ${kind} is declined with ${missingData(kind)}.`,
    ],
    ['Requested if missing', clarify.length > 0 && `${fields(clarify)}, in the status \`EXTRA_DATA_NEEDED\``],
    ['Account number', account !== undefined && kind === 'payout' && `must match \`${account.source}\``],
    ['Amount', `${money(method, limits.min)} to ${money(method, limits.max)}`],
    [
      'Limit per customer',
      `${money(method, limits.perDay)} per day and ${money(method, limits.perMonth)} per month (UTC)`,
    ],
    [
      'Time to pay',
      kind === 'payment' &&
        `${duration(method.validityMs)}, then \`FAILED\` with [\`TIMEOUT_EXPIRED\`](${DECLINES[kind]}.md#timeout_expired)`,
    ],
    ['Confirmation', confirm.length > 0 && `${codes(confirm)} in \`confirm_data\``],
    [
      'Payment page',
      flows.includes('redirect') &&
        (account?.test('name@bank')
          ? "opens the customer's UPI app, or shows a QR code"
          : 'shows the account that the customer pays to'),
    ],
    ['Channel', !isLive && trusted !== standard && `\`${standard}\`, or \`${trusted}\` for trusted customers`],
  ];
  const lines = rows.flatMap(([label, value]) => (value ? `- **${label}:** ${value}` : []));
  return `**For ${kind}s**, with [${CREATES[kind]}](${CREATES[kind]}.md), in ${currencies.join(', ')}:\n\n${lines.join('\n')}`;
}

/** The customers of a kind without a decline. Declined ones are on the pages of their codes. */
function testCustomers(kind: Method['kind']): string {
  const rows = SCENARIOS.filter((row) => row.kind === kind && row.field === 'customer.id' && !row.outcome.decline);
  return joined([
    `## Test customers of ${kind}s`,
    `In the sandbox, the \`customer.id\` selects the outcome. See also the [customers of each decline code](${DECLINES[kind]}.md).`,
    table(
      ['`customer.id`', 'What happens'],
      rows.map((row) => [testValue(row), row.summary]),
    ),
  ]);
}

function money({ currencies: [currency = 'INR'] }: Method, amount: number): string {
  return formatMoney(amount, currency, { locale: LOCALES[currency] ?? 'en', currencyDisplay: 'code' });
}

function duration(ms: number): string {
  return ms < HOUR_MS ? `${ms / 60_000} minutes` : `${ms / HOUR_MS} hours`;
}

/** The code of a decline for missing data. */
function missingData(kind: Method['kind']): string {
  const code = kind === 'payment' ? 'INVALID_CUSTOMER_DETAILS' : 'INVALID_ACCOUNT_DETAILS';
  return `[\`${code}\`](${DECLINES[kind]}.md#${code.toLowerCase()})`;
}

function fields(names: readonly string[]): string {
  return codes(names.map((name) => `customer.${name}`));
}
