/** Steps about the service itself: its address, the keys, the wallet, its clock and its limits. */
import type { Json } from '../../../contract/src/model.ts';
import { foundStatus } from '../core/judge.ts';
import { isSuccess } from '../core/tracked.ts';
import { addressObjection, keyObjection, probeService } from '../run/preflight.ts';
import { type Exchange, readMember, UNKNOWN_KEY } from '../service/exchange.ts';
import { Problem, Skipped } from './examination.ts';
import { readableDuration, type Setup, sendAsDoctor } from './setup.ts';

/** The service responds at the address. */
export async function takeAddressStep(setup: Setup): Promise<void> {
  await setup.examination.take('Service', [], () => examineService(setup));
}

/** The service knows the keys, and shows the wallet. */
export async function takeAccessSteps(setup: Setup): Promise<void> {
  const { examination, settings } = setup;
  await examination.take('API key', ['Service'], () => examineKey(setup));
  await examination.take('Second key', ['API key'], () => examineSecondKey(setup));
  await examination.take('Balance', ['API key'], async () => {
    const { balances } = await readBalance(setup, settings.key);
    return balances.map(({ currency, available }) => `${currency} ${available}`).join(', ');
  });
}

/** Taken last, when there are more responses to look at. */
export async function takeTrafficSteps(setup: Setup): Promise<void> {
  await setup.examination.take('Clock', ['Service'], async () => examineClock(setup));
  await setup.examination.take('Rate limit', ['Service'], async () => examineRateLimit(setup));
}

async function examineService(setup: Setup): Promise<string> {
  const { contract, connection, settings } = setup;
  setup.probes = await probeService(contract, connection, settings.baseUrl);
  const objection = addressObjection(settings.baseUrl, setup.probes);
  if (objection !== undefined) throw new Problem(objection, '');
  const { startedAt, endedAt } = await sendAsDoctor(setup, { operation: contract.operation('getBalance') });
  return `${settings.baseUrl} responds in ${readableDuration(endedAt - startedAt)}.`;
}

async function examineKey(setup: Setup): Promise<string> {
  const { contract, settings, probes, driver } = setup;
  const objection = keyObjection(settings.baseUrl, probes);
  if (objection !== undefined) throw new Problem(objection, '');
  if (driver?.followsPrefer) throw new Skipped('A mock takes any key.');
  const { status } = await sendAsDoctor(setup, { operation: contract.operation('getBalance'), key: UNKNOWN_KEY });
  if (status === 401 || status === 403) return `Accepted. A wrong key gets ${status}.`;
  throw new Problem(
    `A wrong key gets ${status}, as if it were right.`,
    'Respond with 401 to a key that you don’t know.',
  );
}

async function examineSecondKey(setup: Setup): Promise<string> {
  const { key, secondKey } = setup.settings;
  if (secondKey === undefined) {
    throw new Skipped('None, so no check shows that merchants are kept apart.', 'Set --second-key or SECOND_API_KEY.');
  }
  const own = await readBalance(setup, key);
  const other = await readBalance(setup, secondKey);
  if (own.merchant === undefined || own.merchant !== other.merchant) return 'Belongs to another merchant.';
  throw new Problem(
    `It belongs to the same merchant as the first, merchant_id ${JSON.stringify(own.merchant)}.`,
    'Set --second-key to an API key of another merchant.',
  );
}

interface Balances {
  readonly merchant: Json | undefined;
  readonly balances: readonly { currency: string; available: number }[];
}

async function readBalance(setup: Setup, key: string): Promise<Balances> {
  const operation = setup.contract.operation('getBalance');
  const exchange = await sendAsDoctor(setup, { operation, key });
  const list = readMember(exchange.body, 'balances');
  const named = `${operation.method.toUpperCase()} ${operation.path}`;
  if (!isSuccess(operation, exchange)) {
    throw new Problem(`${named} returned ${foundStatus(exchange)}.`, 'Return the balance of each currency with 200.');
  }
  const balances = (Array.isArray(list) ? list : []).map((one) => ({
    currency: String(readMember(one, 'currency')),
    available: Number(readMember(one, 'available')),
    pending: Number(readMember(one, 'pending')),
  }));
  if (balances.length === 0 || balances.some(({ available, pending }) => Number.isNaN(available + pending))) {
    const next = 'Return `balances`, each with `available`, `pending` and `currency`. See: --only replay/getBalance.';
    throw new Problem(`${named} returned no balances.`, next);
  }
  return { merchant: readMember(exchange.body, 'merchant_id'), balances };
}

/** Signatures of webhooks are valid for this long (assumption signature). */
const CLOCK_MS_MAX = 300_000;
/** The header Date has whole seconds. */
const CLOCK_MS_EQUAL = 2_000;

function examineClock({ journal }: Setup): string {
  const dated = journal.exchanges.filter(({ headers }) => !Number.isNaN(Date.parse(headers.get('date') ?? '')));
  const quickest = dated.toSorted((one, other) => tookMs(one) - tookMs(other))[0];
  if (!quickest) throw new Skipped('No response has a Date header.');
  const aheadMs = Date.parse(quickest.headers.get('date') ?? '') - (quickest.startedAt + tookMs(quickest) / 2);
  if (Math.abs(aheadMs) <= CLOCK_MS_EQUAL) return 'The same as on this machine.';
  const text = `The service's clock is ${readableDuration(Math.abs(aheadMs))} ${aheadMs > 0 ? 'ahead of' : 'behind'} this machine's.`;
  if (Math.abs(aheadMs) < CLOCK_MS_MAX) return text;
  throw new Problem(text, 'Set both clocks by NTP. A signature is valid for 5 minutes.');
}

function tookMs({ startedAt, endedAt }: Exchange): number {
  return endedAt - startedAt;
}

function examineRateLimit({ journal: { exchanges } }: Setup): string {
  const stated = exchanges.flatMap(({ headers }) =>
    [...headers].filter(([name]) => /^(x-)?ratelimit(-limit|-policy)?$/.test(name)).map((pair) => pair.join(': ')),
  );
  const busy = exchanges.filter(({ status }) => status === 429).length;
  const seen = busy > 0 ? `${busy} of ${exchanges.length} responses were a 429, which a run waits out.` : '';
  const policy = stated.find((line) => line.includes('policy')) ?? stated[0];
  const parts = [policy && `${policy}.`, seen].filter(Boolean);
  return parts.length === 0 ? `None seen in ${exchanges.length} requests.` : parts.join(' ');
}
