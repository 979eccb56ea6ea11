/** The payment page of a redirect: a customer who is sent there finds something. */
import type { Json } from '../../../contract/src/model.ts';
import type { Context } from '../core/check.ts';
import type { Finding } from '../core/finding.ts';
import { settled } from '../core/judge.ts';
import { type Exchange, textOf } from '../service/exchange.ts';
import { networkErrorCode, sendHttp } from '../service/http.ts';

/** Links of other schemes open an app. */
const OPENED_BY_BROWSERS = /^https?:/i;
const NOT_FOUND = 404;
/** Domains of which no resolver ever knows a name (RFC 6761). Others may be known to customers, and not to this machine. */
const KNOWN_TO_NOBODY = /\.(example|invalid|test)\.?$/i;

/**
 * Opens the page of a payment that has just been created, so that nobody has used it up. A page can refuse what isn't a
 * browser, or fail for now: it is missing only if nobody can open it.
 */
export async function judgePage({ contract, settings }: Context, creation: Exchange): Promise<Finding[]> {
  const page = pageOf(creation.body);
  if (page === undefined) return [];
  const clause = contract.clause('/components/schemas/RedirectUrl');
  const expected = 'the address of a page that a customer can open';
  return settled(async () => {
    const reason = await whyMissing(page, settings.timeoutMs);
    if (reason === undefined) return [];
    return [{ at: 'body /redirect_url', expected, found: `${page}: ${reason}`, clause, exchange: creation }];
  });
}

function pageOf(body: Json | undefined): URL | undefined {
  const address = textOf(body, 'redirect_url') ?? '';
  return OPENED_BY_BROWSERS.test(address) && URL.canParse(address) ? new URL(address) : undefined;
}

/** Undefined if a customer may be able to open the page. */
async function whyMissing({ href, hostname }: URL, timeoutMs: number): Promise<string | undefined> {
  try {
    const { status } = await sendHttp(href, { method: 'GET', headers: {}, signal: AbortSignal.timeout(timeoutMs) });
    return status === NOT_FOUND ? `GET returns ${status}` : undefined;
  } catch (error) {
    const code = networkErrorCode(error as Error);
    if (code === 'ECONNREFUSED') return 'nothing listens there';
    return code === 'ENOTFOUND' && KNOWN_TO_NOBODY.test(hostname) ? 'its host name is unknown' : undefined;
  }
}
