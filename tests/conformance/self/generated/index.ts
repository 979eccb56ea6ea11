/** Every generated defect. */
import { FIELD_MUTANTS } from './fields.ts';
import type { Mutant } from './mutant.ts';

export const MUTANTS: readonly Mutant[] = [...FIELD_MUTANTS];
