/** Every planted defect. */
import type { Defect } from '../trial.ts';
import { shape } from './shape.ts';

export const DEFECTS: readonly Defect[] = [...shape];
