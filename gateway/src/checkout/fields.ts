/** Input fields of the payment page: the account, and required items missing from the customer data. */
import type { Currency } from '../../../generated/types.ts';
import { requestBodies } from '../../../generated/validators.js';
import { findMethod, type Methods } from '../domain/methods.ts';
import { hasForm, lackingItems } from '../domain/rules.ts';
import type { Items, Payment } from '../domain/transaction.ts';
import { interpolate, type Language } from './language.ts';
import type { FieldTexts } from './texts/text.ts';

export interface Field extends FieldTexts {
  readonly name: string;
  readonly type: 'text' | 'tel' | 'email';
  readonly autocomplete: string;
}

/** The customer's input, by field. `texts` are as entered, so that the form can show them again. */
export interface FormInput {
  readonly texts: Readonly<Record<string, string>>;
  readonly items: Items;
  readonly errors: Readonly<Record<string, string>>;
}

/** The item that holds the account from which the customer pays (contract: ClarifyPaymentRequest). */
const ACCOUNT = 'account_number';

const CALLING_CODES: Readonly<Record<Currency, string>> = { INR: '+91', EGP: '+20', MAD: '+212', DZD: '+213' };

/** Input types and autocomplete values. Other items use `text` and `off`. */
const INPUTS: Readonly<Record<string, Pick<Field, 'type' | 'autocomplete'>>> = {
  name: { type: 'text', autocomplete: 'name' },
  email: { type: 'email', autocomplete: 'email' },
  phone: { type: 'tel', autocomplete: 'tel' },
};

export function listFields(methods: Methods, payment: Payment, language: Language): Field[] {
  const method = findMethod(methods, 'payment', payment.method);
  if (!method) return [];
  const known = { ...payment.customer, ...payment.supplied };
  const wanted = new Set([...method.requires, ...method.clarify, ...(method.account ? [ACCOUNT] : [])]);
  return lackingItems([...wanted], known).map((name) => ({
    name,
    ...(INPUTS[name] ?? { type: 'text', autocomplete: 'off' }),
    ...writeFieldTexts(name, payment, language),
  }));
}

/** Reads the pressed button of the form: pay from the account, report a payment by app, or cancel. */
export function readAction(value: string | null | undefined): 'pay' | 'paid' | 'cancel' | undefined {
  return value === 'pay' || value === 'paid' || value === 'cancel' ? value : undefined;
}

/** Whether the field is the account, which customers who pay with an app don't enter. */
export function isAccount({ name }: Field): boolean {
  return name === ACCOUNT;
}

/** Parses the submitted form and validates it like the same items in the API. */
export function readFormInput(
  methods: Methods,
  payment: Payment,
  fields: readonly Field[],
  form: URLSearchParams,
): FormInput {
  const texts = Object.fromEntries(fields.map(({ name }) => [name, normalize(name, form.get(name) ?? '')]));
  const items = Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== '')) as Items;
  const wrong = wrongItems(methods, payment, items);
  const errors = fields.flatMap(({ name, ...field }): [string, string][] => {
    if (texts[name] === '') return [[name, field.missing]];
    return wrong.has(name) ? [[name, field.wrong]] : [];
  });
  return { texts, items, errors: Object.fromEntries(errors) };
}

function writeFieldTexts(name: string, { method, currency }: Payment, language: Language): FieldTexts {
  const { fields } = language.texts;
  const known: Readonly<Record<string, FieldTexts>> = fields;
  const texts = name === ACCOUNT && method === 'UPI_IN' ? fields.upi_address : (known[name] ?? fields.other);
  const words = name.replaceAll('_', ' ');
  const values = { code: CALLING_CODES[currency], name: words.charAt(0).toUpperCase() + words.slice(1) };
  const filled = Object.entries(texts).map(([part, text]) => [part, interpolate(language, text, values)]);
  return Object.fromEntries(filled);
}

/** The zeros of Arabic, Persian and Hindi keyboards. Nine more digits follow each. */
const ZEROS = ['\u0660', '\u06f0', '\u0966'].map((zero) => zero.codePointAt(0) ?? 0);
const LOCAL_DIGIT = /[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f]/g;

/**
 * Normalizes typed and pasted text: converts local digits to ASCII, and removes control characters and the separators
 * of grouped numbers. Names keep joiners, which some scripts need.
 */
function normalize(name: string, text: string): string {
  const plain = text
    .normalize(name === 'name' ? 'NFC' : 'NFKC')
    .replaceAll(LOCAL_DIGIT, toAsciiDigit)
    .replaceAll(name === 'name' ? /[\u202a-\u202e\u2066-\u2069]/g : /\p{Cf}/gu, '')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  if (name === 'phone') return plain.replaceAll(/[\s().\u2010-\u2015-]/g, '');
  return name === ACCOUNT || name === 'email' ? plain.replaceAll(' ', '') : plain;
}

function toAsciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  return String(code - (ZEROS.findLast((zero) => zero <= code) ?? code));
}

function wrongItems(methods: Methods, payment: Payment, items: Items): Set<string> {
  const body = { clarify_data: items };
  const errors = requestBodies.clarifyPayment(body) ? [] : (requestBodies.clarifyPayment.errors ?? []);
  const wrong = errors.map(({ instancePath }) => instancePath.split('/')[2] ?? '');
  const method = findMethod(methods, 'payment', payment.method);
  return new Set(method && !hasForm(method, items[ACCOUNT]) ? [...wrong, ACCOUNT] : wrong);
}
