/** The shapes of the contract's extensions. Redocly's rule `struct` checks them, and other rules visit them by name. */
import type { NodeType } from '@redocly/openapi-core';

const text = { type: 'string' } as const;

/** Types by name, for Redocly's type tree. */
const TYPES: Record<string, NodeType> = {
  Assumptions: { properties: {}, items: 'Assumption' },
  Assumption: {
    properties: {
      ...{ id: text, section: text, open: text, assumed: text, why: text, also_done_by: text },
      narrows: { type: 'array', items: text },
    },
    required: ['id', 'section', 'open', 'assumed', 'why', 'also_done_by'],
  },
  StateMachines: { properties: {}, additionalProperties: 'StateMachine' },
  StateMachine: {
    properties: { title: text, states: 'States', transitions: 'Transitions' },
    required: ['title', 'states', 'transitions'],
  },
  States: { properties: {}, additionalProperties: 'State' },
  State: {
    properties: { meaning: text, flows: { type: 'array', items: text }, final: { type: 'boolean' } },
    required: ['meaning', 'final'],
  },
  Transitions: { properties: {}, items: 'Transition' },
  Transition: {
    // `from` is null at the creation.
    properties: { from: null, to: text, by: text, when: text, tolerated: { type: 'boolean' } },
    required: ['from', 'to', 'by', 'when'],
  },
  DeclineReasons: { properties: {}, additionalProperties: 'DeclineReason' },
  DeclineReason: {
    properties: { meaning: text, likely_cause: text, suggested_action: text },
    required: ['meaning', 'likely_cause', 'suggested_action'],
  },
  DeclineHandlings: { properties: {}, additionalProperties: 'DeclineHandling' },
  DeclineHandling: {
    properties: {
      retry: { enum: ['now', 'later', 'changed', 'never'] },
      acts: { enum: ['merchant', 'customer', 'service', 'nobody'] },
    },
    required: ['retry', 'acts'],
  },
  MinorUnits: { properties: {}, additionalProperties: { type: 'integer', minimum: 0 } },
};

/** Adds the extensions to Redocly's types. */
export function extendTypes(types: Record<string, NodeType>): Record<string, NodeType> {
  const extend = (name: string, properties: NodeType['properties']) => {
    const type = types[name] as NodeType;
    return { [name]: { ...type, properties: { ...type.properties, ...properties } } };
  };
  return {
    ...{ ...types, ...TYPES },
    ...extend('Root', { 'x-assumptions': 'Assumptions', 'x-state-machines': 'StateMachines' }),
    ...extend('Schema', {
      'x-decline-reasons': 'DeclineReasons',
      'x-decline-handling': 'DeclineHandlings',
      'x-minor-units': 'MinorUnits',
    }),
  };
}
