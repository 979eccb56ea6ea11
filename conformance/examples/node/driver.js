/** Driver for payments-conformance: test customers carry the plan of their transaction in their id. */

const METHODS = { INR: 'UPI_IN', EGP: 'WALLET_EG', MAD: 'WALLET_MA', DZD: 'WALLET_DZ' };
const H2H_ONLY = ['EXTRA_DATA_NEEDED', 'PAY_CONFIRMATION_NEEDED'];
const FINAL = ['SUCCESS', 'FAILED'];

/** Reasons for which the service itself declines, at once. For all others, the channel declines later. */
const AT_ONCE = ['CURRENCY_NOT_SUPPORTED', 'METHOD_NOT_SUPPORTED', 'INVALID_AMOUNT', 'INSUFFICIENT_BALANCE'];

function testCustomer({ until, from, reason = 'BANK_REJECTED', paid }, first) {
  const plan = new URLSearchParams();
  for (const status of [from, until]) if (status && !FINAL.includes(status)) plan.append('stops', status);
  if (until === 'FAILED') {
    plan.set('declines', reason);
    if (from || !AT_ONCE.includes(reason)) plan.set('in', from ?? first);
  }
  if (paid !== undefined) plan.set('pays', paid);
  return `test?${plan}`;
}

/** Submits the form of the payment page. Returns the address to which it leads. */
async function submit(fetch, redirectUrl, fields) {
  const response = await fetch(redirectUrl, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
  if (response.status !== 303) throw new Error(`the payment page responded with ${response.status}`);
  return response.headers.get('location');
}

export default {
  name: 'daybook',

  payment(goal) {
    const { flow, until, from, opensIn, asks, currency = 'INR' } = goal;
    if (flow === 'h2h' && currency !== 'INR') return undefined;
    if (flow === 'redirect' && [until, from, opensIn].some((status) => H2H_ONLY.includes(status))) return undefined;
    const isAsked = asks || [until, from, opensIn].includes('EXTRA_DATA_NEEDED');
    return {
      amount: 24_900,
      currency,
      payment_method_type: METHODS[currency],
      customer: {
        id: testCustomer(goal, 'CREATED'),
        ...(!isAsked && { name: 'Asha Rao', phone: '+91 98123 45671', email: 'asha.rao@example.com' }),
        ...(H2H_ONLY.includes(opensIn) && { kyc_level: 'TRUSTED' }),
      },
      ...(flow === 'redirect' && { return_url: 'https://shop.example/return?cart=7' }),
    };
  },

  payout(goal) {
    const { currency = 'INR' } = goal;
    return {
      amount: 9_700,
      currency,
      payment_method_type: currency === 'INR' ? 'IMPS_IN' : METHODS[currency],
      customer: {
        id: testCustomer(goal, 'PROCESSING'),
        name: 'Asha Rao',
        account_number: '026291800001191',
        bank_code: 'SBIN0001234',
      },
    };
  },

  items(names) {
    const customer = { name: 'Asha Rao', phone: '+91 98123 45671', email: 'asha.rao@example.com' };
    const transfer = { tid: '406112345678', payer_vpa: 'asha@upi' };
    return Object.fromEntries(names.map((name) => [name, { ...customer, ...transfer }[name]]));
  },

  pay: (redirectUrl, { fetch }) => submit(fetch, redirectUrl, { action: 'pay' }),
  cancel: (redirectUrl, { fetch }) => submit(fetch, redirectUrl, { action: 'cancel' }),
  returnAddress: (redirectUrl, { fetch }) => submit(fetch, redirectUrl, {}),

  /** Releases a transaction that is stopped short of the goal. */
  async move(kind, transactionId, { until }, { baseUrl, key, fetch }) {
    const id = encodeURIComponent(transactionId);
    const headers = { authorization: `Bearer ${key}` };
    const { status } = await (await fetch(`${baseUrl}/${kind}s/${id}`, { headers })).json();
    if (status === until) return;
    await fetch(`${baseUrl}/test/released/${id}?status=${status}`, { method: 'PUT', headers });
  },

  disturb: async (_operationId, status, { key }) => `${key}.${status}`,
};
