/** The payment and payout methods that the contract names, for programs that offer a choice. */
import { type Bundle, openEnum } from '../../contract/src/model.ts';

const SCHEMAS = { paymentMethodNames: 'PaymentMethodType', payoutMethodNames: 'PayoutMethodType' };

/** generated/methods.ts without its banner. */
export function methodsArtifact({ components }: Bundle): string {
  const constants = Object.entries(SCHEMAS).map(([constant, schema]) => {
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
  return [`import type { ${Object.values(SCHEMAS).join(', ')} } from './types.ts';\n`, ...constants].join('\n');
}
