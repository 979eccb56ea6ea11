/** The extensions at the root of the document, which Redocly does not walk: the state machines and the assumptions. */
import {
  type Assumption,
  entries,
  follow,
  items,
  type Placed,
  type Provenance,
  type Root,
  type State,
  type StateMachine,
  type Transition,
} from './document.ts';
import type { Context } from './redocly.ts';

export interface Machine extends Placed<StateMachine> {
  states: [name: string, state: Placed<State>][];
  transitions: Placed<Transition>[];
}

/** The state machines. To be called at the root. */
export function stateMachines(context: Context, root: Root): Machine[] {
  const map = follow(context, root['x-state-machines'], context.location.child('x-state-machines'));
  if (!map) return [];
  return entries(context, map.node, map.location).map(([, { node, location }]) => ({
    node,
    location,
    states: entries(context, node.states, location.child('states')),
    transitions: items(context, node.transitions, location.child('transitions')),
  }));
}

/** Every state and every transition: what says where it comes from. To be called at the root. */
export function machineStatements(context: Context, root: Root): Placed<Provenance>[] {
  return stateMachines(context, root).flatMap(({ states, transitions }) => [
    ...states.map(([, state]) => state),
    ...transitions,
  ]);
}

/** The entries of the assumption registry. To be called at the root. */
export function assumptions(context: Context, root: Root): Placed<Assumption>[] {
  const list = follow(context, root['x-assumptions'], context.location.child('x-assumptions'));
  return list ? items(context, list.node, list.location) : [];
}
