// Brings the service into a state, for the contract tests of payments-conformance.

const methods = { INR: 'UPI_IN', EGP: 'WALLET_EG', MAD: 'WALLET_MA', DZD: 'WALLET_DZ' };

/** ID of a test customer with these wishes, such as `sim?hold=VERIFYING`. */
function customerId({ until, from, reason = 'BANK_REJECTED', paid }) {
  const wishes = [];
  const held = [from, until].filter((status) => status && !['SUCCESS', 'FAILED'].includes(status));
  if (held.length > 0) wishes.push(`hold=${held}`);
  if (until === 'FAILED' && !from) wishes.push(`decline=${reason}`);
  if (paid) wishes.push(`paid=${paid}`);
  return `sim?${wishes.join('&')}`;
}

export default {
  name: 'payments-java',

  payment(goal) {
    const { flow, until, from, opensIn = from, asks } = goal;
    const currency = goal.currency ?? (flow === 'redirect' ? 'EGP' : 'INR');
    if (flow === 'h2h' && currency !== 'INR') return undefined;
    const asksAtOnce = asks || opensIn === 'EXTRA_DATA_NEEDED' || (until === 'EXTRA_DATA_NEEDED' && !opensIn);
    const asksLater = opensIn === 'CREATED' && until === 'EXTRA_DATA_NEEDED';
    return {
      amount: asksLater ? 6_000_000 : 20_000,
      currency,
      payment_method_type: methods[currency],
      customer: {
        id: customerId(goal),
        email: 'asha.rao@example.com',
        ...(!asksAtOnce && { name: 'Asha Rao', phone: '+919812345671' }),
        ...(opensIn === 'PAY_CONFIRMATION_NEEDED' && { kyc_level: 'TRUSTED' }),
      },
      ...(flow === 'redirect' && { return_url: 'https://shop.example/return' }),
    };
  },

  payout(goal) {
    const { currency = 'INR' } = goal;
    return {
      amount: 20_000,
      currency,
      payment_method_type: currency === 'INR' ? 'IMPS_IN' : methods[currency],
      customer: { id: customerId(goal), account_number: '026291800001191', bank_code: 'SBIN0001234' },
    };
  },

  items(names, payment) {
    const values = {
      email: 'asha.rao@example.com',
      phone: '+919812345671',
      amount: String(payment.amount),
    };
    return Object.fromEntries(names.map((name) => [name, values[name] ?? 'ABCDE1234F']));
  },

  async pay(redirectUrl) {
    const response = await fetch(redirectUrl, {
      method: 'POST',
      body: new URLSearchParams({ action: 'pay' }),
      redirect: 'manual',
    });
    if (response.status !== 303) throw new Error(`the payment page responded with ${response.status}`);
  },

  async move(kind, transactionId, { from, until, reason = 'BANK_REJECTED' }, { baseUrl, key }) {
    if (!from || from === until) return;
    const response = await fetch(`${baseUrl}/test/${kind}s/${encodeURIComponent(transactionId)}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(until === 'FAILED' ? { decline_reason: reason } : {}),
    });
    if (!response.ok) throw new Error(`the step to ${until} got ${response.status}`);
  },

  async disturb(_operationId, status) {
    return `sk_test_fault_${status}`;
  },
};
