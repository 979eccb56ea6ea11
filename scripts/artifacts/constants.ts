/** Constants from the contract: currencies, methods, servers, headers of webhooks, and decline reasons. */
import { type Bundle, declineRows, openEnum, serverUrl } from '../../contract/src/model.ts';
import { readHeaderNames } from '../../contract/src/vectors/writer.ts';

/** generated/currencies.ts without its banner. */
export function currenciesArtifact({ components }: Bundle): string {
  const { enum: codes, 'x-enumDescriptions': names, 'x-minor-units': decimals } = components.schemas['Currency'] ?? {};
  const record = (value: unknown, of: string) =>
    `${JSON.stringify(value, null, 2)} as const satisfies Record<Currency, ${of}>;`;
  return `import type { Currency } from './types.ts';

/** Every currency. */
export const currencies = ${JSON.stringify(codes)} as const satisfies readonly Currency[];

/** Name of each currency, in English. */
export const currencyNames = ${record(names, 'string')}

/** Decimals of each currency's minor unit: an amount of 49900 is 499.00 where they are 2. */
export const minorUnits = ${record(decimals, 'number')}
`;
}

const METHOD_SCHEMAS = { paymentMethodNames: 'PaymentMethodType', payoutMethodNames: 'PayoutMethodType' };

/** generated/methods.ts without its banner. */
export function methodsArtifact({ components }: Bundle): string {
  const constants = Object.entries(METHOD_SCHEMAS).map(([constant, schema]) => {
    const branches = components.schemas[schema]?.anyOf ?? [];
    const known = openEnum(components.schemas[schema] ?? {})?.known ?? [];
    const names = branches.find((branch) => branch['x-enumDescriptions'])?.['x-enumDescriptions'];
    if (!names || known.length === 0) throw new Error(`${schema} names none of its values`);
    const list = constant.replace(/Names$/, 's');
    return `/** Known values of ${schema}. A service can have others. */
export const ${list} = ${JSON.stringify(known)} as const satisfies readonly ${schema}[];

/** Names of these values, in English. */
export const ${constant} = ${JSON.stringify(names, null, 2)} as const satisfies Record<(typeof ${list})[number], string>;
`;
  });
  return [`import type { ${Object.values(METHOD_SCHEMAS).join(', ')} } from './types.ts';\n`, ...constants].join('\n');
}

/** generated/servers.ts without its banner. */
export function serversArtifact({ servers }: Bundle): string {
  const listed = servers.map((server) => {
    const { description = '' } = server;
    const [, keyPrefix] = /keys that begin with `(\w+)`/.exec(description) ?? [];
    if (!keyPrefix) throw new Error(`The server's description names no keys: write "keys that begin with \`sk_…_\`"`);
    return { url: serverUrl(server), keyPrefix };
  });
  return `/** Addresses of the service, with the prefix of the keys for each. */
export const servers = ${JSON.stringify(listed, null, 2)} as const;
`;
}

/** generated/webhook-headers.ts without its banner. */
export function webhookHeadersArtifact(bundle: Bundle): string {
  return `/** Headers of a webhook by their content. All of \`signatures\` have the same value. */
export const webhookHeaders = ${JSON.stringify(readHeaderNames(bundle), null, 2)} as const;
`;
}

/** generated/decline-reasons.ts without its banner. */
export function declineReasonsArtifact(bundle: Bundle): string {
  const tables = Object.entries(bundle.components.schemas).flatMap(([name, schema]) => {
    const reasons = declineRows(schema);
    return reasons ? [declineTable(name, reasons)] : [];
  });
  return [
    '/** Texts of the contract about a decline reason. */',
    'export interface DeclineText {',
    '  readonly meaning: string;',
    '  readonly likely_cause: string;',
    '  readonly suggested_action: string;',
    '  /** Whether a new attempt can succeed: `later` once the cause is gone, `changed` with other data. */',
    "  readonly retry: 'now' | 'later' | 'changed' | 'never';",
    '  /** The one who has to do something first. */',
    "  readonly acts: 'merchant' | 'customer' | 'service' | 'nobody';",
    '}',
    '',
    ...tables,
  ].join('\n');
}

function declineTable(schema: string, reasons: object): string {
  const name = `${schema.charAt(0).toLowerCase()}${schema.slice(1)}s`;
  const type = `Known${schema}`;
  return [
    `/** The known values of ${schema}. Others occur. */`,
    `export const ${name} = ${JSON.stringify(reasons, null, 2)} as const satisfies Record<string, DeclineText>;`,
    '',
    `export type ${type} = keyof typeof ${name};`,
    '',
    `/** The table's texts about a value of ${schema}, or undefined for a value that is not in the table. */`,
    `export function find${schema}(reason: string): DeclineText | undefined {`,
    `  return Object.hasOwn(${name}, reason) ? ${name}[reason as ${type}] : undefined;`,
    '}',
    '',
  ].join('\n');
}
