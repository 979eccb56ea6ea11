/** Payment page: the customer pays or cancels, and goes back to the shop. */

const escapeHtml = (text) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

export const paymentPage = ({ request, status }) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Pay with Daybook</title>
<h1>Order ${escapeHtml(request.merchant_order_id)}</h1>
<p>${(request.amount / 100).toFixed(2)} ${request.currency}</p>
<form method="post">
${
  status === 'CREATED'
    ? '<button name="action" value="pay">Pay</button> <button name="action" value="cancel">Cancel</button>'
    : '<button>Back to the shop</button>'
}
</form>
</html>
`;

/** The return address with its own query, unchanged, and the parameters of the payment. */
export function returnUrl({ id, request, status }) {
  const url = new URL(request.return_url);
  const parameters = new URLSearchParams({ transaction_id: id, merchant_order_id: request.merchant_order_id, status });
  url.search = url.search ? `${url.search}&${parameters}` : `${parameters}`;
  return url.href;
}
