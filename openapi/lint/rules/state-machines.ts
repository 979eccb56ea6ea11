/**
 * The state machines and the schemas have the same states: a machine's title is the name of the union of the
 * variants, and the constant `status` of each variant is a state.
 */
import {
  componentName,
  follow,
  locateKey,
  type Operation,
  type Placed,
  type Root,
  type Schema,
  type State,
  type Transition,
} from '../document.ts';
import { type Machine, stateMachines } from '../extensions.ts';
import type { Context, Rule } from '../redocly.ts';
import { endsWithStop } from '../text.ts';

/** Actors, other than operations, that move a transaction. */
const MOVERS = ['customer', 'service'];

/** The rule `contract/state-machines`. */
export const stateMachinesMatch: Rule = () => {
  const unions = new Map<string, string[]>();
  const operationIds = new Set<string>();
  return {
    Operation: ({ operationId }: Operation) => {
      if (operationId) operationIds.add(operationId);
    },
    Schema: (schema: Schema, context) => {
      const name = componentName('schemas', context.location);
      if (name && schema.discriminator) unions.set(name, variants(schema, context));
    },
    Root: {
      leave: (root: Root, context) => {
        for (const machine of stateMachines(context, root)) {
          checkVariants(machine, unions, context);
          for (const [name, state] of machine.states) checkState(name, state, machine, context);
          for (const move of machine.transitions) checkMove(move, machine, operationIds, context);
        }
      },
    },
  };
};

/** The constants by which the variants of a union are told apart. Reports a mapping that leads to another one. */
function variants(union: Schema, context: Context): string[] {
  const { propertyName = '', mapping = {} } = union.discriminator ?? {};
  return Object.entries(mapping).map(([key, $ref]) => {
    const variant = follow<Schema>(context, { $ref }, context.location);
    const property = variant && follow(context, variant.node.properties?.[propertyName], variant.location);
    if (property?.node.const !== key) {
      context.report({
        message: `the mapping sends ${key} to a variant whose ${propertyName} is ${property?.node.const}; both must be the same`,
        location: context.location.child(['discriminator', 'mapping', key]),
      });
    }
    return String(property?.node.const);
  });
}

function checkVariants({ node, location, states }: Machine, unions: Map<string, string[]>, context: Context): void {
  const { title = '' } = node;
  const constants = unions.get(title);
  if (!constants) {
    context.report({
      message: `no discriminated schema is named '${title}'; the title of a state machine is the name of such a schema`,
      location: locateKey(node, 'title', location),
    });
    return;
  }
  const names = states.map(([name]) => name);
  if (constants.toSorted().join() === names.toSorted().join()) return;
  context.report({
    message: `the states of ${title} are not those of its schema; write ${constants.join(', ')}`,
    location: location.child('states').key(),
  });
}

function checkState(name: string, { node, location }: Placed<State>, { transitions }: Machine, context: Context): void {
  const report = (message: string) => context.report({ message, location: location.key() });
  if (!node.meaning || !endsWithStop(node.meaning)) {
    report(`state ${name} has no meaning that ends with a full stop; write one`);
  }
  if (!transitions.some((move) => move.node.to === name)) {
    report(`no transition leads to ${name}; add one or remove the state`);
  }
  const isLeft = transitions.some((move) => move.node.from === name);
  if (node.final && isLeft) report(`state ${name} is final, yet a transition leaves it; remove one of the two`);
  if (!node.final && !isLeft) report(`state ${name} is not final, yet no transition leaves it; add one of the two`);
}

function checkMove(move: Placed<Transition>, machine: Machine, operationIds: Set<string>, context: Context): void {
  const { node, location } = move;
  const states = machine.states.map(([name]) => name);
  const report = (key: keyof Transition, message: string) =>
    context.report({ message, location: locateKey(node, key, location) });
  if (node.from !== null && !states.includes(node.from ?? '')) {
    report('from', `from is '${node.from}', which is not a state; write one of ${states.join(', ')} or null`);
  }
  if (!states.includes(node.to ?? '')) {
    report('to', `to is '${node.to}', which is not a state; write one of ${states.join(', ')}`);
  }
  if (!MOVERS.includes(node.by ?? '') && !operationIds.has(node.by ?? '')) {
    report('by', `by is '${node.by}'; write an operationId, ${MOVERS.join(' or ')}`);
  }
  if (!node.when || !endsWithStop(node.when)) {
    report('when', 'the transition has no `when` that ends with a full stop; write one');
  }
}
