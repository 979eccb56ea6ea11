/** What the contract says about currencies, for programs that show or read amounts. */
import type { Bundle } from '../../contract/src/model.ts';

/** generated/currencies.ts without its banner. */
export function currenciesArtifact({ components }: Bundle): string {
  const decimals = components.schemas['Currency']?.['x-minor-units'];
  return `import type { Currency } from './types.ts';

/** Decimals of each currency's minor unit: an amount of 49900 is 499.00 where they are 2. */
export const minorUnits = ${JSON.stringify(decimals, null, 2)} as const satisfies Record<Currency, number>;
`;
}
