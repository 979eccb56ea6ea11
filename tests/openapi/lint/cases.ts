/** One row for each way of breaking a rule: what is changed in the sound document, and what the rule then says. */
import type { Case } from './cases/case.ts';
import { EXAMPLES } from './cases/examples.ts';
import { ORIGIN } from './cases/origin.ts';
import { PROSE } from './cases/prose.ts';
import { SHAPES } from './cases/shapes.ts';

export const CASES: Case[] = [...PROSE, ...EXAMPLES, ...ORIGIN, ...SHAPES];
