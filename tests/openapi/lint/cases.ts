/** One row per way to break a rule: the change to a valid document, and the rule's message. */
import type { Case } from './cases/case.ts';
import { EXAMPLES } from './cases/examples.ts';
import { ORIGIN } from './cases/origin.ts';
import { PROSE } from './cases/prose.ts';
import { SHAPES } from './cases/shapes.ts';

export const CASES: Case[] = [...PROSE, ...EXAMPLES, ...ORIGIN, ...SHAPES];
