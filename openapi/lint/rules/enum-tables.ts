/** The tables next to an enumeration are about its values. */
import type { Schema } from '../document.ts';
import type { Rule } from '../redocly.ts';
import { endsWithStop } from '../text.ts';

/** Tables with a row for each value. */
const TABLES = ['x-decline-reasons', 'x-decline-handling', 'x-minor-units'] as const;

/** The rule `contract/enum-tables`. */
export const enumTables: Rule = () => ({
  Schema: (schema: Schema, context) => {
    const values = (schema.enum ?? []).map(String);
    const { 'x-decline-reasons': reasons, 'x-decline-handling': handling = reasons && {} } = schema;
    const tables = { ...schema, 'x-decline-handling': handling };
    for (const name of TABLES) {
      const table = tables[name];
      if (!table || Object.keys(table).join() === values.join()) continue;
      context.report({
        message: `${name} and the enum differ; give each value one row, in this order: ${values.join(', ')}`,
        location: context.location.child(name).key(),
      });
    }
    for (const value of Object.keys(schema['x-enumDescriptions'] ?? {})) {
      if (values.includes(value)) continue;
      context.report({
        message: `x-enumDescriptions describes '${value}', which the enum does not have; remove it or add the value`,
        location: context.location.child(['x-enumDescriptions', value]).key(),
      });
    }
  },
});

/** Columns of a decline table, and whether they are sentences. */
const COLUMNS = { meaning: false, likely_cause: true, suggested_action: true };

/** The rule `contract/decline-sentences`. */
export const declineSentences: Rule = () => ({
  DeclineReason: (row: Partial<Record<keyof typeof COLUMNS, string>>, context) => {
    for (const [column, isSentence] of Object.entries(COLUMNS)) {
      const text = row[column as keyof typeof COLUMNS];
      if (text === undefined || endsWithStop(text) === isSentence) continue;
      context.report({
        message: `${column} ${isSentence ? 'does not end with a full stop' : 'ends with a full stop'}; change it`,
        location: context.location.child(column),
      });
    }
  },
});
