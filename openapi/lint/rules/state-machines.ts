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
  type Schema,
  type State,
  type StateMachine,
  type Transition,
} from '../document.ts';
import type { Context, Rule } from '../redocly.ts';
import { endsWithStop } from '../text.ts';

/** Actors, other than operations, that move a transaction. */
const MOVERS = ['customer', 'service'];

/** The rule `contract/state-machines`. */
export const stateMachinesMatch: Rule = () => {
  const machines: Placed<StateMachine>[] = [];
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
    StateMachine: (node: StateMachine, { location }) => void machines.push({ node, location }),
    Root: {
      leave: (_: object, context) => {
        for (const machine of machines) {
          const { states = {}, transitions = [] } = machine.node;
          checkVariants(machine, unions, context);
          for (const [name, node] of Object.entries(states)) {
            checkState(name, { node, location: machine.location.child(['states', name]) }, transitions, context);
          }
          for (const [index, node] of transitions.entries()) {
            const move = { node, location: machine.location.child(['transitions', index]) };
            checkMove(move, Object.keys(states), operationIds, context);
          }
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

function checkVariants(
  { node, location }: Placed<StateMachine>,
  unions: Map<string, string[]>,
  context: Context,
): void {
  const { title = '', states = {} } = node;
  const constants = unions.get(title);
  if (!constants) {
    context.report({
      message: `no discriminated schema is named '${title}'; the title of a state machine is the name of such a schema`,
      location: locateKey(node, 'title', location),
    });
    return;
  }
  if (constants.toSorted().join() === Object.keys(states).toSorted().join()) return;
  context.report({
    message: `the states of ${title} are not those of its schema; write ${constants.join(', ')}`,
    location: location.child('states').key(),
  });
}

function checkState(
  name: string,
  { node, location }: Placed<State>,
  transitions: readonly Transition[],
  context: Context,
): void {
  const report = (message: string) => context.report({ message, location: location.key() });
  if (!node.meaning || !endsWithStop(node.meaning)) {
    report(`state ${name} has no meaning that ends with a full stop; write one`);
  }
  if (!transitions.some((move) => move.to === name)) {
    report(`no transition leads to ${name}; add one or remove the state`);
  }
  const isLeft = transitions.some((move) => move.from === name);
  if (node.final && isLeft) report(`state ${name} is final, yet a transition leaves it; remove one of the two`);
  if (!node.final && !isLeft) report(`state ${name} is not final, yet no transition leaves it; add one of the two`);
}

function checkMove(
  { node, location }: Placed<Transition>,
  states: readonly string[],
  operationIds: Set<string>,
  context: Context,
): void {
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
