/** The payment page of the redirect flow. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Json } from '../../../contract/src/model.ts';
import { toPointer } from '../../../contract/src/pointer.ts';
import type { Check, Context } from '../core/check.ts';
import { type Finding, formatValue, NotReached } from '../core/finding.ts';
import { callDriver } from '../core/fixtures.ts';
import { settled } from '../core/judge.ts';
import { creationBody, readOrderId, readStatus, type TrackedTransaction } from '../core/transactions.ts';
import { type Contract, specified } from '../document/contract.ts';
import type { Driver } from '../drivers/driver.ts';
import { driverRemedy } from '../drivers/gateway.ts';
import { type Exchange, readString } from '../service/exchange.ts';
import { networkErrorCode, sendHttp } from '../service/http.ts';
import { poll } from '../time/awake.ts';

/** Links of other schemes open an app. */
const OPENED_BY_BROWSERS = /^https?:/i;
const CANCELLED = 'CANCELLED_BY_CUSTOMER';
/** Longer than a short column of a database. */
const RETURN_URL = `https://shop.example/return?cart=7&next=%2Fa%20b&basket=${'x'.repeat(250)}`;
const FRAGMENT = '#basket';
const POLL_MS = 100;
/** Time that an act on a page gets to have an effect. */
const OPENED_MS = 500;
const REDIRECT_URL = '/components/schemas/RedirectUrl';
/** Domains of which no resolver ever knows a name (RFC 6761). Others may be known to customers, and not to this machine. */
const KNOWN_TO_NOBODY = /\.(example|invalid|test)\.?$/i;

/**
 * Opens the page of a new payment, whose link is unused. A page can refuse other clients than browsers, or fail
 * temporarily, so the finding is only about unreachable pages.
 */
export async function judgePage({ contract, settings }: Context, creation: Exchange): Promise<Finding[]> {
  const page = readPage(creation.body);
  if (page === undefined) return [];
  const clause = contract.clause(REDIRECT_URL);
  const expected = 'the address of a page that a customer can open';
  return settled(async () => {
    const { state, reason } = await openPage(page, settings.timeoutMs);
    if (state !== 'missing') return [];
    return [{ at: 'body /redirect_url', expected, found: `${page}: ${reason}`, clause, exchange: creation }];
  });
}

/** A service can meet the level by no other way than a page that opens. */
export function pageCheck(contract: Contract): Check {
  return {
    id: 'state/payment/redirect/page',
    title: 'A payment by redirect has the address of a page, which opens',
    clause: contract.clause(REDIRECT_URL),
    ...{ phase: 'parallel', operation: 'createPayment', levels: ['payments-redirect'], partOf: ['payments-redirect'] },
    async run(context) {
      const { fixtures, settings } = context;
      const tracked = await fixtures.create('payment', fixtures.bodyFor({ flow: 'redirect', until: 'CREATED' }));
      const { creation } = tracked;
      const address = readString(creation.body, 'redirect_url');
      if (address === undefined) return judgeNoAddress(contract, creation);
      const page = readPage(creation.body);
      if (!page) return [];
      const findings = await judgePage(context, creation);
      const { state, reason } = await openPage(page, settings.timeoutMs);
      if (state === 'shown') return [...findings, ...(await judgeUnpaid(context, tracked))];
      if (findings.length > 0) return findings;
      throw new NotReached(`${page}: ${reason}`, 'run the kit where the page can be opened');
    },
  };
}

/** Mail scanners and browsers open links on their own. */
async function judgeUnpaid({ contract, fixtures }: Context, tracked: TrackedTransaction): Promise<Finding[]> {
  await pause(OPENED_MS);
  const exchange = await fixtures.read(tracked);
  const found = readStatus(tracked);
  if (found !== 'VERIFYING' && found !== 'SUCCESS') return [];
  const expected = 'CREATED, since the customer has only opened the page';
  const clause = contract.assumption('transitions');
  return [{ at: 'body /status', expected, found, clause, exchange }];
}

/** Without a return_url, the customer can't return (source 1, 4.1), with any method. */
export function noReturnCheck(contract: Contract): Check {
  const clause = contract.clause(REDIRECT_URL);
  return {
    id: 'state/payment/redirect/no-return-url',
    title: 'A payment without return_url is refused, or has no redirect_url',
    ...{ clause, phase: 'parallel', operation: 'createPayment', levels: [], partOf: ['payments-redirect'] },
    async run({ fixtures, orderId, receiver, send }) {
      const { return_url: _none, ...body } = fixtures.bodyFor({ flow: 'redirect', until: 'CREATED' });
      const operation = contract.operation('createPayment');
      const call = { operation, body: creationBody(body, orderId(), receiver.endpoint().url), unpaid: true };
      const exchange = await send(call);
      const page = readString(exchange.body, 'redirect_url');
      if (page === undefined || exchange.status >= 400) return [];
      const expected = 'absent, since the request has no return_url';
      return [{ at: 'body /redirect_url', expected, found: formatValue(page), clause, exchange }];
    },
  };
}

/** The customer's ways to leave the page, played by the driver. */
export function leavingChecks(contract: Contract): Check[] {
  const base = { phase: 'parallel', operation: 'createPayment', levels: [], partOf: ['payments-redirect'] } as const;
  return [
    {
      ...{ ...base, id: 'state/payment/redirect/cancelled', clause: contract.assumption('cancellation') },
      title: `A payment canceled on its page fails with ${CANCELLED}`,
      run: judgeCancelled,
    },
    {
      ...{ ...base, id: 'state/payment/redirect/return', clause: contract.assumption('return-parameters') },
      title: 'The page leads back to return_url, with its query and the parameters of the payment',
      run: judgeReturn,
    },
  ];
}

async function judgeCancelled(context: Context): Promise<Finding[]> {
  const { access, contract, driver, fixtures, settings } = context;
  if (!driver.cancel)
    throw new NotReached("the driver can't cancel", driverRemedy(driver, 'add `cancel` to the driver'));
  const body = fixtures.bodyFor({ flow: 'redirect', until: 'CREATED' });
  const tracked = await fixtures.create('payment', body, { unpaid: true });
  const page = requirePage(driver, tracked);
  const failure = `the customer could not cancel at ${page}`;
  await callDriver(driver, 'cancel', failure, async () => driver.cancel?.(page, access));
  const isCancelled = ({ body }: Exchange) => readString(body, 'decline_reason') === CANCELLED;
  const isFinal = () => contract.machines.payment.states[readStatus(tracked)]?.final === true;
  const { value: exchange } = await poll(
    () => fixtures.read(tracked),
    (read) => isCancelled(read) || isFinal(),
    { limitMs: settings.timeoutMs, pauseMs: POLL_MS },
  );
  if (isCancelled(exchange)) return judgePaidLate(context, tracked, page);
  const reason = readString(exchange.body, 'decline_reason');
  const found = [readStatus(tracked), ...(reason === undefined ? [] : [reason])].join(' with ');
  const clause = contract.assumption('cancellation');
  return [{ at: 'body /decline_reason', expected: `FAILED with ${CANCELLED}`, found, clause, exchange }];
}

/** The customer goes back in the browser, and pays on the page of the canceled payment. */
async function judgePaidLate(context: Context, tracked: TrackedTransaction, page: string): Promise<Finding[]> {
  const { access, driver, fixtures } = context;
  // A page that refuses is right.
  await driver.pay?.(page, access).catch(() => undefined);
  await pause(OPENED_MS);
  const exchange = await fixtures.read(tracked);
  const found = readStatus(tracked);
  if (found === 'FAILED') return [];
  const clause = specified('3', toPointer('x-state-machines', 'payment', 'states', 'FAILED'));
  return [{ at: 'body /status', expected: 'still FAILED, since it was canceled', found, clause, exchange }];
}

async function judgeReturn(context: Context): Promise<Finding[]> {
  const { access, contract, driver, fixtures } = context;
  if (!driver.returnAddress || !driver.pay) {
    const remedy = driverRemedy(driver, 'add `pay` and `returnAddress` to the driver');
    throw new NotReached("the driver doesn't say where the page leads", remedy);
  }
  const goal = { flow: 'redirect', until: 'SUCCESS' } as const;
  const given = fixtures.bodyFor(goal);
  const body = { ...given, return_url: `${RETURN_URL}${FRAGMENT}` };
  const tracked = await fixtures.create('payment', body);
  const page = requirePage(driver, tracked);
  await fixtures.drive(tracked, goal);
  const failure = 'the driver could not read where the page leads';
  const { returnAddress } = driver;
  const address = await callDriver(driver, 'returnAddress', failure, async () => returnAddress(page, access));
  const added = new URLSearchParams({
    transaction_id: tracked.id,
    merchant_order_id: readOrderId(tracked),
    status: readStatus(tracked),
  });
  const lacking = [...added].filter(([name, value]) => new URL(address, page).searchParams.get(name) !== value);
  if (address.startsWith(RETURN_URL) && lacking.length === 0) return [];
  const clause = contract.assumption('return-parameters');
  const expected = `${RETURN_URL}&${added}${FRAGMENT}`;
  return [{ at: 'return address', expected, found: address, clause, exchange: tracked.creation }];
}

function requirePage(driver: Driver, { creation }: TrackedTransaction): string {
  const page = readString(creation.body, 'redirect_url');
  if (page !== undefined) return page;
  const remedy = driverRemedy(driver, 'let `payment` of the driver return a payment by redirect that waits');
  throw new NotReached('the payment has no redirect_url', remedy);
}

/** A payment declined by its creation needs no page. */
function judgeNoAddress(contract: Contract, creation: Exchange): Finding[] {
  const status = readString(creation.body, 'status') ?? '';
  if (contract.machines.payment.states[status]?.final) {
    const remedy = 'let `payment` of the driver return a payment by redirect that waits for its customer';
    throw new NotReached(`the payment was created in ${status}`, remedy);
  }
  const expected = 'an address, since the payment is a redirect';
  const clause = contract.clause(REDIRECT_URL);
  return [{ at: 'body /redirect_url', expected, found: formatValue(undefined), clause, exchange: creation }];
}

function readPage(body: Json | undefined): URL | undefined {
  const address = readString(body, 'redirect_url') ?? '';
  return OPENED_BY_BROWSERS.test(address) && URL.canParse(address) ? new URL(address) : undefined;
}

/** `missing` if no customer can open it; `unknown` if it only can't be opened from here, or for now. */
interface Opened {
  readonly state: 'shown' | 'missing' | 'unknown';
  readonly reason: string;
}

async function openPage({ href, hostname }: URL, timeoutMs: number): Promise<Opened> {
  try {
    const { status } = await sendHttp(href, { method: 'GET', headers: {}, signal: AbortSignal.timeout(timeoutMs) });
    const state = status === 404 ? 'missing' : status >= 500 ? 'unknown' : 'shown';
    return { state, reason: `GET returns ${status}` };
  } catch (error) {
    const code = networkErrorCode(error as Error);
    if (code === 'ECONNREFUSED') return { state: 'missing', reason: 'nothing listens there' };
    const isKnownToNobody = code === 'ENOTFOUND' && KNOWN_TO_NOBODY.test(hostname);
    if (isKnownToNobody) return { state: 'missing', reason: 'its host name is unknown' };
    return { state: 'unknown', reason: (error as Error).message };
  }
}
