/** Alternating measurements, so that variations of the machine affect all contenders. */

import type { Server } from '../tools/server.ts';
import type { Bench } from './part.ts';

export interface Contender {
  /** Servers that run during its measurement. */
  readonly servers: readonly Server[];
  /** Returns a rate. */
  readonly measure: (round: number) => Promise<number>;
}

/**
 * Measures each contender in each round. Servers are paused while others are measured, since their background work
 * would slow down the next.
 */
export async function inTurns<Name extends string>(
  { rounds, say }: Pick<Bench, 'rounds' | 'say'>,
  what: string,
  contenders: Readonly<Record<Name, Contender>>,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(contenders) as Name[];
  const rates = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  const servers = names.flatMap((name) => contenders[name].servers);
  for (const server of servers) server.sleep();
  for (let round = 0; round < rounds; round++) {
    say(`${what}, round ${round + 1} of ${rounds}`);
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      for (const server of contenders[name].servers) server.wake();
      rates[name].push(await contenders[name].measure(round));
      for (const server of contenders[name].servers) server.sleep();
    }
  }
  for (const server of servers) server.wake();
  return rates;
}
