/** Every generated defect. */
import { FIELD_MUTANTS } from './fields.ts';
import { MONEY_RULES } from './money-rules.ts';
import type { Mutant } from './mutant.ts';
import { STATUS_RULES } from './status-rules.ts';

export const MUTANTS: readonly Mutant[] = [...FIELD_MUTANTS, ...STATUS_RULES, ...MONEY_RULES];
