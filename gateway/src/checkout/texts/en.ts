import type { PageTexts } from './text.ts';

export const en: PageTexts = {
  language: 'Language',
  heading: 'Pay {merchant}',
  title: 'Pay {amount} to {merchant}',
  error: 'Error',
  pay: 'Pay {amount}',
  cancel: 'Cancel and return to {merchant}',
  method: 'Method',
  order: 'Order',
  amount: 'Amount',
  timeLeft: 'Time left',
  until: '{left} (until {time})',
  checkEntry: 'Check this entry',
  checkEntries: 'Check these entries',
  inApp: 'Pay in a UPI app',
  fromAccount: 'Or pay from your account',
  openApp: 'Open the UPI app on this phone',
  qrCode: 'QR code to pay {amount}',
  paidInApp: 'I have paid in the app',
  backTo: 'Return to {merchant}',
  closePage: 'You can close this page.',
  openPayment: 'Open the payment',
  reference: 'Payment reference {id}',
  sandbox: 'Sandbox: no money moves.',
  request: 'Request {id}',
  sending: 'Sending…',
  leftToPay: 'Time left to pay: {left}',
  declined: 'Payment not completed',
  fields: {
    name: {
      label: 'Full name',
      missing: 'Enter your full name',
      wrong: 'Enter a name of at most 255 characters',
    },
    email: {
      label: 'E-mail address',
      missing: 'Enter your e-mail address',
      wrong: 'Enter an e-mail address in the form name@example.com',
    },
    phone: {
      label: 'Phone number',
      hint: 'With country code, such as {code}.',
      missing: 'Enter your phone number',
      wrong: 'Enter the phone number in digits, with country code, such as {code}',
    },
    account_number: {
      label: 'Account number',
      missing: 'Enter the number of your account',
      wrong: 'Check the account number: it does not have the right form',
    },
    upi_address: {
      label: 'UPI address',
      hint: 'Such as name@bank. You can find it in your UPI app.',
      missing: 'Enter your UPI address',
      wrong: 'Enter a UPI address in the form name@bank',
    },
    other: { label: '{name}', missing: 'Enter: {name}', wrong: 'Check: {name}' },
  },
  endings: {
    success: { title: 'Payment complete', text: 'Your payment to {merchant} went through.' },
    verifying: {
      title: 'We are confirming your payment',
      text: 'This can take a moment. You may stay here or return to {merchant}, which will be notified of the result.',
    },
    expiring: {
      title: 'This payment has expired',
      text: 'We are making sure that nothing is charged. You may stay here or return to {merchant}, which will be notified of the result.',
    },
    cancelling: {
      title: 'We are cancelling your payment',
      text: 'We are making sure that nothing is charged. You may stay here or return to {merchant}, which will be notified of the result.',
    },
    under_way: { title: 'This payment is under way', text: '{merchant} tells you what comes next.' },
    cancelled: { title: 'Payment cancelled', text: 'You cancelled this payment. Nothing was charged.' },
    expired: {
      title: 'This payment has expired',
      text: 'The time to pay is over. Return to {merchant} to start a new payment.',
    },
  },
  refusals: {
    unknown: {
      title: 'Payment not found',
      text: 'The link may be incomplete. Go back to the shop and start the payment again.',
    },
    unreadable: {
      title: 'The form could not be read',
      text: 'This changed nothing. Open the payment again and send the form from there.',
    },
    'other-site': {
      title: 'This form came from another site',
      text: 'This changed nothing. Open the payment again and send the form from there.',
    },
    'other-host': {
      title: 'This is not the address of the payment page',
      text: 'Go back to the shop and open the payment from there.',
    },
    'too-large': {
      title: 'The form is too large',
      text: 'This changed nothing. Open the payment again and enter less.',
    },
    'wrong-type': {
      title: 'The form could not be read',
      text: 'This changed nothing. Open the payment again and send the form from there.',
    },
    'too-many': { title: 'Too many requests', text: 'Wait a moment, then open the payment again.' },
    unavailable: {
      title: 'The payment page is temporarily unavailable',
      text: 'Wait a moment, then open the payment again to see its status.',
    },
    failed: {
      title: 'Something went wrong here',
      text: 'Open the payment again to see its status before you pay a second time.',
    },
  },
  methods: {},
};
