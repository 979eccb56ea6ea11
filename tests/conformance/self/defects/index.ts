/** All defects: written by hand, and derived from the document. */
import type { Defect } from '../trial.ts';
import { access } from './access.ts';
import { customers } from './customers.ts';
import { fields } from './fields.ts';
import { frameworks } from './frameworks.ts';
import { money } from './money.ts';
import { protocol } from './protocol.ts';
import { repeats } from './repeats.ts';
import { rules } from './rules.ts';
import { semantics } from './semantics.ts';
import { shape } from './shape.ts';
import { state } from './state.ts';
import { validation } from './validation.ts';
import { webhooks } from './webhooks.ts';

const AREAS: Readonly<Record<string, readonly Defect[]>> = {
  ...{ shape, semantics, validation, access, money, repeats, webhooks, protocol, state, customers },
  ...{ frameworks, rules, fields },
};

export const DEFECTS: readonly Defect[] = Object.entries(AREAS).flatMap(([area, defects]) =>
  defects.map((one) => ({ ...one, id: `${area}/${one.id}` })),
);
