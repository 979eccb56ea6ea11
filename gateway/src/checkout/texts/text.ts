/** The shape of the payment page's texts in each language. A name in braces, as in `{merchant}`, is filled in. */
export interface FieldTexts {
  readonly label: string;
  readonly hint?: string;
  /** Error messages for an empty and for an invalid entry. */
  readonly missing: string;
  readonly wrong: string;
}

interface Message {
  readonly title: string;
  readonly text: string;
}

type Field = 'name' | 'email' | 'phone' | 'account_number' | 'upi_address' | 'other';
export type EndingName = 'success' | 'verifying' | 'expiring' | 'cancelling' | 'under_way' | 'cancelled' | 'expired';

export type RefusalName =
  | 'unknown'
  | 'unreadable'
  | 'other-site'
  | 'other-host'
  | 'too-large'
  | 'wrong-type'
  | 'too-many'
  | 'unavailable'
  | 'failed';

export interface PageTexts {
  readonly language: string;
  readonly heading: string;
  readonly title: string;
  readonly error: string;
  readonly pay: string;
  readonly cancel: string;
  readonly method: string;
  readonly order: string;
  readonly amount: string;
  readonly timeLeft: string;
  readonly until: string;
  readonly checkEntry: string;
  readonly checkEntries: string;
  readonly inApp: string;
  readonly fromAccount: string;
  readonly openApp: string;
  readonly qrCode: string;
  readonly paidInApp: string;
  readonly backTo: string;
  readonly closePage: string;
  readonly openPayment: string;
  readonly reference: string;
  readonly sandbox: string;
  readonly request: string;
  readonly sending: string;
  /** For screen readers, when the time gets short. */
  readonly leftToPay: string;
  readonly declined: string;
  readonly fields: Readonly<Record<Field, FieldTexts>>;
  readonly endings: Readonly<Record<EndingName, Message>>;
  readonly refusals: Readonly<Record<RefusalName, Message>>;
  /** Titles of methods that differ from the English title. */
  readonly methods: Readonly<Record<string, string>>;
}
