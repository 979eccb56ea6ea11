/** Masks of the log of requests: it keeps the last characters of secrets, and the first ones of personal data. */
import type { Bundle, Schema } from '../../../../contract/src/model.ts';
import { operations, resolve } from '../../../../contract/src/model.ts';

/** Masks an operation's parsed body. */
export type MaskBody = (operation: string, body: unknown) => unknown;

const SECRET_KEPT = 4;
const PERSONAL_KEPT = 2;

/** API keys and signing secrets, wherever they are written. */
const SECRETS = /\b(?:sk_(?:test|live)_[\w-]*|whsec_[\w+/=-]*)/g;
/** The characters of a key at the end are shown in lists of keys, too. */
const SHOWN_AT_END = new Set(['authorization', 'proxy-authorization']);
const HIDDEN = new Set(['cookie', 'set-cookie']);

/** Maximum nesting of a shown body. Deeper values would need too much stack. */
const DEPTH_MAX = 32;
const LEFT_OUT = '…';

/** Members with customer data. Some of them identify no person. */
const CONTAINERS = new Set(['customer', 'clarify_data', 'confirm_data']);
const IMPERSONAL = new Set(['id', 'kyc_level', 'amount']);
/** Schemas of the contract whose members are data of customers. */
const OF_CUSTOMERS = /Customer$|^ClarifyItems$|^ConfirmItems$/;

/** The location of a value: its member and that member's parent. Array items share the array's location. */
interface Place {
  readonly name: string;
  readonly container: string;
  readonly isPersonal: boolean;
  readonly depth: number;
}

/**
 * Creates the masks from the contract, which knows the data of customers, and from the documents of the gateway's own
 * APIs, which mark secrets. Each document has the prefix of its operations in the log.
 */
export function createMasks(contract: Bundle, documents: readonly (readonly [prefix: string, Bundle])[]): MaskBody {
  const personal = personalNames(contract);
  const secrets = new Map(documents.flatMap(([prefix, document]) => secretNames(prefix, document)));
  const mask = (value: unknown, { name, container, isPersonal, depth }: Place): unknown => {
    if (typeof value === 'object' && value !== null) {
      if (depth === DEPTH_MAX) return LEFT_OUT;
      const inner = (member: string, holder: string): Place => {
        const ofCustomer = personal.has(member) || (CONTAINERS.has(holder) && !IMPERSONAL.has(member));
        return { name: member, container: holder, isPersonal: isPersonal || ofCustomer, depth: depth + 1 };
      };
      if (Array.isArray(value)) return value.map((item) => mask(item, inner(name, container)));
      return Object.fromEntries(
        Object.entries(value).map(([member, held]) => [hideSecrets(member), mask(held, inner(member, name))]),
      );
    }
    // Customers write numbers of phones and accounts as JSON numbers, and a name in place of the object that holds it.
    const isText = typeof value === 'string' || typeof value === 'number';
    if (isText && (isPersonal || CONTAINERS.has(name))) return cut(String(value));
    return typeof value === 'string' ? hideSecrets(value) : value;
  };
  return (operation, body) => {
    const masked = mask(body, { name: '', container: '', isPersonal: false, depth: 0 });
    for (const name of secrets.get(operation) ?? []) {
      const object = masked as Record<string, unknown>;
      if (typeof object?.[name] === 'string') object[name] = hide(object[name]);
    }
    return masked;
  };
}

/** Headers as they are shown. */
export function maskHeaders(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  const entries = Object.entries(headers).flatMap(([name, value]): [string, string][] => {
    if (value === undefined) return [];
    const text = String(value);
    if (HIDDEN.has(name)) return [[name, '…']];
    return [[name, SHOWN_AT_END.has(name) ? hideCredentials(text) : hideSecrets(text)]];
  });
  return Object.fromEntries(entries);
}

/** A text without the API keys and signing secrets in it. */
export function hideSecrets(text: string): string {
  return text.replace(SECRETS, hide);
}

/** The scheme stays, since a wrong one is a common mistake. */
function hideCredentials(header: string): string {
  const [, scheme = '', credentials = ''] = /^([A-Za-z]+ +)?(.*)$/s.exec(header) ?? [];
  return scheme + hide(credentials);
}

function hide(secret: string): string {
  return secret.length > 2 * SECRET_KEPT ? `…${secret.slice(-SECRET_KEPT)}` : '…';
}

function cut(value: string): string {
  return value.length > 2 * PERSONAL_KEPT ? `${value.slice(0, PERSONAL_KEPT)}…` : '…';
}

function personalNames({ components: { schemas } }: Bundle): Set<string> {
  const names = Object.entries(schemas)
    .filter(([name]) => OF_CUSTOMERS.test(name))
    .flatMap(([, { properties = {} }]) => Object.keys(properties));
  return new Set(names.filter((name) => !IMPERSONAL.has(name)));
}

/** Members of responses that a document marks as passwords, by operation. */
function secretNames(prefix: string, document: Bundle): [operation: string, names: string[]][] {
  return operations(document).map(({ id, responses }) => [
    prefix + id,
    responses.flatMap(({ body }) => {
      const { properties = {} }: Schema = body ? resolve(document, body.schema) : {};
      return Object.entries(properties).flatMap(([name, { format }]) => (format === 'password' ? [name] : []));
    }),
  ]);
}
