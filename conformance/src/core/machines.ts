/** What the state machines of the contract allow. */
import type { StateMachine } from '../../../contract/src/model.ts';

/** The status and all that it can lead to, directly or over others, by moves that a reader accepts. */
export function reachable({ transitions }: StateMachine, from: string): Set<string> {
  const found = new Set([from]);
  for (const status of found) {
    for (const move of transitions) if (move.from === status) found.add(move.to);
  }
  return found;
}
