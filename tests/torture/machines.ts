/** Which status may follow which, from the contract's state machines. */
import { type Bundle, readBundle } from '../../contract/src/model.ts';
import { senderForm } from '../../contract/src/sender.ts';

export type Kind = 'payment' | 'payout';

export interface Machines {
  /** Whether one status can come after another, by any number of moves, or is the same. */
  follows(kind: Kind, from: string, to: string): boolean;
  isFinal(kind: Kind, status: string): boolean;
}

/** Reads the machines of the bundle. */
export function readMachines(bundle: Bundle = senderForm(readBundle())): Machines {
  const machine = (kind: Kind) => {
    const found = bundle['x-state-machines'][kind];
    if (!found) throw new Error(`the contract has no state machine ${kind}`);
    return found;
  };
  const reachable = (kind: Kind, from: string) => {
    const found = new Set([from]);
    // Iterating a set includes what is added meanwhile.
    for (const status of found) {
      for (const move of machine(kind).transitions) if (move.from === status) found.add(move.to);
    }
    return found;
  };
  return {
    follows: (kind, from, to) => reachable(kind, from).has(to),
    isFinal: (kind, status) => machine(kind).states[status]?.final ?? false,
  };
}
