/** The decline tables as constants, for programs that show them to people. */
import { type Bundle, declineRows } from '../../contract/src/model.ts';

/** generated/decline-reasons.ts without its banner. */
export function declineReasonsArtifact(bundle: Bundle): string {
  const tables = Object.entries(bundle.components.schemas).flatMap(([name, schema]) => {
    const reasons = declineRows(schema);
    return reasons ? [constant(name, reasons)] : [];
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

function constant(schema: string, reasons: object): string {
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
