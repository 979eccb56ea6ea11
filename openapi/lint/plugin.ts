/**
 * Redocly's plugin `contract`: the rules that hold the contract to its style, and the decorator that stamps the brand.
 * redocly.yaml switches them on and gives them their options.
 */
import type { Oas3Decorator, Oas3Rule } from '@redocly/openapi-core';
import { brand } from './brand.ts';
import { extendTypes } from './extensions.ts';
import { guarded } from './guard.ts';
import type { Rule } from './redocly.ts';
import { assumptionRegistry } from './rules/assumption-registry.ts';
import { closedObjects } from './rules/closed-objects.ts';
import { descriptionRequired, descriptionStyle } from './rules/descriptions.ts';
import { declineSentences, enumTables } from './rules/enum-tables.ts';
import { examplePairs } from './rules/example-pairs.ts';
import { introductionBasis } from './rules/introduction-basis.ts';
import { moneyInteger } from './rules/money.ts';
import { namedExamples } from './rules/named-examples.ts';
import { naming } from './rules/naming.ts';
import { narrowing } from './rules/narrowing.ts';
import { operationWording } from './rules/operation-wording.ts';
import { provenance, sourceSection } from './rules/provenance.ts';
import { stateMachinesMatch } from './rules/state-machines.ts';

const RULES: Record<string, Rule<never>> = {
  'assumption-registry': assumptionRegistry,
  'closed-objects': closedObjects,
  'decline-sentences': declineSentences,
  'description-required': descriptionRequired,
  'description-style': descriptionStyle,
  'enum-tables': enumTables,
  'example-pairs': examplePairs,
  'introduction-basis': introductionBasis,
  'money-integer': moneyInteger,
  'named-examples': namedExamples,
  naming,
  narrowing,
  'operation-wording': operationWording,
  provenance,
  'source-section': sourceSection,
  'state-machines': stateMachinesMatch,
};

export default function plugin() {
  const rules = Object.entries(RULES).map(([name, rule]) => [name, guarded(rule) as Oas3Rule]);
  return {
    id: 'contract',
    typeExtension: { oas3: extendTypes },
    rules: { oas3: Object.fromEntries(rules) },
    decorators: { oas3: { brand: brand as Oas3Decorator } },
  };
}
