/** The texts next to an enumeration are about its values. */
import type { Schema } from '../document.ts';
import type { Rule } from '../redocly.ts';
import { endsWithStop } from '../text.ts';

/** The columns of a decline table, and whether they are sentences. */
const COLUMNS = { meaning: false, likely_cause: true, suggested_action: true };

/** The rule `contract/decline-table`. */
export const declineTable: Rule = () => ({
  Schema: (schema: Schema, context) => {
    const table = schema['x-decline-reasons'];
    if (!table) return;
    const location = context.location.child('x-decline-reasons');
    if (Object.keys(table).join() !== (schema.enum ?? []).join()) {
      context.report({
        message: `x-decline-reasons and the enum differ; give each value one row, in this order: ${schema.enum?.join(', ')}`,
        location: location.key(),
      });
    }
    for (const [code, row] of Object.entries(table)) {
      for (const message of rowProblems(code, row)) context.report({ message, location: location.child(code).key() });
    }
  },
});

function rowProblems(code: string, row: Record<string, string>): string[] {
  const unknown = Object.keys(row).filter((column) => !Object.hasOwn(COLUMNS, column));
  return [
    ...unknown.map((column) => `${code} has '${column}'; a row has ${Object.keys(COLUMNS).join(', ')} only`),
    ...Object.entries(COLUMNS).flatMap(([column, isSentence]) => {
      const text = row[column];
      if (!text) return [`${code} has no ${column}; write it`];
      if (endsWithStop(text) === isSentence) return [];
      return [
        `${column} of ${code} ${isSentence ? 'does not end with a full stop' : 'ends with a full stop'}; change it`,
      ];
    }),
  ];
}

/** The columns of a table of handling, and their values. */
const HANDLING = {
  retry: ['now', 'later', 'changed', 'never'],
  acts: ['merchant', 'customer', 'service', 'nobody'],
};

/** The rule `contract/decline-handling`. */
export const declineHandling: Rule = () => ({
  Schema: (schema: Schema, context) => {
    const { 'x-decline-reasons': reasons, 'x-decline-handling': handling = {} } = schema;
    if (!reasons) return;
    const location = context.location.child('x-decline-handling');
    if (Object.keys(handling).join() !== Object.keys(reasons).join()) {
      context.report({
        message: `x-decline-handling and x-decline-reasons differ; give each code one row, in this order: ${Object.keys(reasons).join(', ')}`,
        location: location.key(),
      });
    }
    for (const [code, row] of Object.entries(handling)) {
      const isComplete = Object.entries(HANDLING).every(([column, values]) => values.includes(row[column] ?? ''));
      if (isComplete && Object.keys(row).length === Object.keys(HANDLING).length) continue;
      const columns = Object.entries(HANDLING).map(([column, values]) => `${column} (${values.join(', ')})`);
      context.report({ message: `${code} has exactly ${columns.join(' and ')}`, location: location.child(code).key() });
    }
  },
});

/** The rule `contract/enum-descriptions`. */
export const enumDescriptions: Rule = () => ({
  Schema: (schema: Schema, context) => {
    for (const value of Object.keys(schema['x-enumDescriptions'] ?? {})) {
      if (schema.enum?.includes(value)) continue;
      context.report({
        message: `x-enumDescriptions describes '${value}', which the enum does not have; remove it or add the value`,
        location: context.location.child(['x-enumDescriptions', value]).key(),
      });
    }
  },
});
