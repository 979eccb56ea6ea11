/** Facts about currencies from the contract, for programs that show or read amounts, or offer a choice. */
import type { Bundle } from '../../contract/src/model.ts';

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
