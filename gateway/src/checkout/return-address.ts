/** The URL to which the payment page sends the customer back. */
import type { Payment } from '../domain/transaction.ts';

/**
 * The payment's own return_url with the identifiers added; its query stays unchanged otherwise. The status is
 * for the shop's first words to the customer only: anybody can write it there, so the shop asks getPayment.
 */
export function returnAddress({ returnUrl, id, orderId, status }: Payment): string | undefined {
  if (returnUrl === undefined || !URL.canParse(returnUrl)) return undefined;
  const url = new URL(returnUrl);
  // The contract lets nothing else in; a `javascript:` address here would run on the payment page.
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined;
  const added = new URLSearchParams({ transaction_id: id, merchant_order_id: orderId, status });
  url.search = url.search === '' ? `${added}` : `${url.search}&${added}`;
  return url.href;
}
