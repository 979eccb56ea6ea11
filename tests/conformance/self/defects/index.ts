/** Every planted defect. */
import type { Defect } from '../trial.ts';
import { semantics } from './semantics.ts';
import { shape } from './shape.ts';
import { state } from './state.ts';
import { validation } from './validation.ts';

export const DEFECTS: readonly Defect[] = [...shape, ...semantics, ...validation, ...state];
