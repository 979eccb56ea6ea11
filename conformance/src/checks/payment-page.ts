/** The payment page of a redirect: a customer who is sent there finds something. */
import type { Json } from '../../../contract/src/model.ts';
import type { Check, Context } from '../core/check.ts';
import { type Finding, formatValue, NotReached } from '../core/finding.ts';
import { settled } from '../core/judge.ts';
import type { Contract } from '../document/contract.ts';
import { type Exchange, textOf } from '../service/exchange.ts';
import { networkErrorCode, sendHttp } from '../service/http.ts';

/** Links of other schemes open an app. */
const OPENED_BY_BROWSERS = /^https?:/i;
const NOT_FOUND = 404;
const SERVER_ERROR = 500;
const REDIRECT_URL = '/components/schemas/RedirectUrl';
/** Domains of which no resolver ever knows a name (RFC 6761). Others may be known to customers, and not to this machine. */
const KNOWN_TO_NOBODY = /\.(example|invalid|test)\.?$/i;

/**
 * Opens the page of a payment that has just been created, so that nobody has used it up. A page can refuse what isn't a
 * browser, or fail for now: it is missing only if nobody can open it.
 */
export async function judgePage({ contract, settings }: Context, creation: Exchange): Promise<Finding[]> {
  const page = pageOf(creation.body);
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
      const { creation } = await fixtures.create(
        'payment',
        fixtures.bodyFor('payment', { flow: 'redirect', until: 'CREATED' }),
      );
      const address = textOf(creation.body, 'redirect_url');
      if (address === undefined) return judgeNoAddress(contract, creation);
      const page = pageOf(creation.body);
      if (!page) return [];
      const findings = await judgePage(context, creation);
      const { state, reason } = await openPage(page, settings.timeoutMs);
      if (findings.length > 0 || state === 'shown') return findings;
      throw new NotReached(`${page}: ${reason}`, 'run the kit where the page can be opened');
    },
  };
}

/** A payment that was declined at once needs no page. */
function judgeNoAddress(contract: Contract, creation: Exchange): Finding[] {
  const status = textOf(creation.body, 'status') ?? '';
  if (contract.machines.payment.states[status]?.final) {
    const remedy = 'let `payment` of the driver return a payment by redirect that waits for its customer';
    throw new NotReached(`the payment was created in ${status}`, remedy);
  }
  const expected = 'an address, since the payment is a redirect';
  const clause = contract.clause(REDIRECT_URL);
  return [{ at: 'body /redirect_url', expected, found: formatValue(undefined), clause, exchange: creation }];
}

function pageOf(body: Json | undefined): URL | undefined {
  const address = textOf(body, 'redirect_url') ?? '';
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
    const state = status === NOT_FOUND ? 'missing' : status >= SERVER_ERROR ? 'unknown' : 'shown';
    return { state, reason: `GET returns ${status}` };
  } catch (error) {
    const code = networkErrorCode(error as Error);
    if (code === 'ECONNREFUSED') return { state: 'missing', reason: 'nothing listens there' };
    const isKnownToNobody = code === 'ENOTFOUND' && KNOWN_TO_NOBODY.test(hostname);
    if (isKnownToNobody) return { state: 'missing', reason: 'its host name is unknown' };
    return { state: 'unknown', reason: (error as Error).message };
  }
}
