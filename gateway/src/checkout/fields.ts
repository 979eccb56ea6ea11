/** Input fields of the payment page: the account, and the items that the method requires and the customer data lack. */
import type { Currency } from '../../../generated/types.ts';
import { requestBodies } from '../../../generated/validators.js';
import { findMethod, type Methods } from '../domain/methods.ts';
import { lackingItems } from '../domain/payment.ts';
import { hasForm } from '../domain/rules.ts';
import type { Items, Payment } from '../domain/transaction.ts';

export interface Field {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly type: 'text' | 'tel' | 'email';
  readonly autocomplete: string;
  /** Said when nothing was entered, and when what was entered cannot be right. */
  readonly missing: string;
  readonly wrong: string;
}

/** The customer's input, by field. `texts` are as entered, so that the form can show them again. */
export interface Entry {
  readonly texts: Readonly<Record<string, string>>;
  readonly items: Items;
  readonly errors: Readonly<Record<string, string>>;
}

type Texts = Omit<Field, 'name'>;

/** The item that holds the account from which the customer pays (contract: ClarifyPaymentRequest). */
const ACCOUNT = 'account_number';

const CALLING_CODES: Readonly<Record<Currency, string>> = { INR: '+91', EGP: '+20', MAD: '+212', DZD: '+213' };

const TEXTS: Readonly<Record<string, Texts>> = {
  name: {
    label: 'Full name',
    type: 'text',
    autocomplete: 'name',
    missing: 'Enter your full name',
    wrong: 'Enter a name of at most 255 characters',
  },
  email: {
    label: 'E-mail address',
    type: 'email',
    autocomplete: 'email',
    missing: 'Enter your e-mail address',
    wrong: 'Enter an e-mail address in the form name@example.com',
  },
  [ACCOUNT]: {
    label: 'Account number',
    type: 'text',
    autocomplete: 'off',
    missing: 'Enter the number of your account',
    wrong: 'Check the account number: it does not have the right form',
  },
};

/** The account's label and format for each method, in the words of its customers. */
const ACCOUNTS: Readonly<Record<string, Texts>> = {
  UPI_IN: {
    label: 'UPI address',
    hint: 'Such as name@bank. You find it in your UPI app.',
    type: 'text',
    autocomplete: 'off',
    missing: 'Enter your UPI address',
    wrong: 'Enter a UPI address in the form name@bank',
  },
};

/** The fields of the form, in order. */
export function fieldsOf(methods: Methods, payment: Payment): Field[] {
  const method = findMethod(methods, 'payment', payment.method);
  if (!method) return [];
  const known = { ...payment.customer, ...payment.supplied };
  const wanted = new Set([...method.requires, ...method.clarify, ...(method.account ? [ACCOUNT] : [])]);
  return lackingItems([...wanted], known).map((name) => ({ name, ...textsOf(name, payment) }));
}

/** Reads the fields from the form that was sent and checks them as the API checks the same items. */
export function readEntry(methods: Methods, payment: Payment, fields: readonly Field[], form: URLSearchParams): Entry {
  const texts = Object.fromEntries(fields.map(({ name }) => [name, cleaned(name, form.get(name) ?? '')]));
  const items = Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== '')) as Items;
  const wrong = wrongItems(methods, payment, items);
  const errors = fields.flatMap(({ name, ...field }): [string, string][] => {
    if (texts[name] === '') return [[name, field.missing]];
    return wrong.has(name) ? [[name, field.wrong]] : [];
  });
  return { texts, items, errors: Object.fromEntries(errors) };
}

function textsOf(name: string, { method, currency }: Payment): Texts {
  if (name === 'phone') return phone(CALLING_CODES[currency]);
  const label = name.replaceAll('_', ' ');
  return (
    (name === ACCOUNT ? ACCOUNTS[method] : undefined) ??
    TEXTS[name] ?? {
      label: label.charAt(0).toUpperCase() + label.slice(1),
      type: 'text',
      autocomplete: 'off',
      missing: `Enter your ${label}`,
      wrong: `Check your ${label}`,
    }
  );
}

function phone(callingCode: string): Texts {
  return {
    label: 'Phone number',
    hint: `With country code, such as ${callingCode}.`,
    type: 'tel',
    autocomplete: 'tel',
    missing: 'Enter your phone number',
    wrong: `Enter the phone number in digits, with country code, such as ${callingCode}`,
  };
}

/** Without control characters, which no item needs and not every database keeps, and without what people write in numbers. */
function cleaned(name: string, text: string): string {
  const plain = text
    .normalize()
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return name === 'phone' ? plain.replaceAll(/[\s().\u2010-\u2015-]/g, '') : plain;
}

function wrongItems(methods: Methods, payment: Payment, items: Items): Set<string> {
  const body = { clarify_data: items };
  const errors = requestBodies.clarifyPayment(body) ? [] : (requestBodies.clarifyPayment.errors ?? []);
  const wrong = errors.map(({ instancePath }) => instancePath.split('/')[2] ?? '');
  const method = findMethod(methods, 'payment', payment.method);
  return new Set(method && !hasForm(method, items[ACCOUNT]) ? [...wrong, ACCOUNT] : wrong);
}
