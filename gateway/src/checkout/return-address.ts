/** The URL to which the payment page sends the customer back. */
import type { Payment } from '../domain/transaction.ts';

/**
 * Returns the payment's return_url with its identifiers and status, which replace parameters of the same names. The rest
 * of the query stays byte for byte. The status is a hint for the shop's page only: anyone can forge it, so the shop
 * requests getPayment. Returns undefined without a usable URL.
 */
export function returnAddress({ returnUrl, id, orderId, status }: Payment): string | undefined {
  if (returnUrl === undefined || !URL.canParse(returnUrl)) return undefined;
  const url = new URL(returnUrl);
  // The contract rejects other protocols. A `javascript:` URL here would run on the payment page.
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined;
  const added = new URLSearchParams({ transaction_id: id, merchant_order_id: orderId, status });
  const isKept = (parameter: string) => ![...new URLSearchParams(parameter).keys()].some((name) => added.has(name));
  const kept = url.search
    .slice(1)
    .split('&')
    .filter((parameter) => parameter !== '' && isKept(parameter));
  url.search = [...kept, String(added)].join('&');
  return url.href;
}
