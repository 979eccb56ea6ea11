import { describe, expect, it } from 'vitest';
import { readBundle, type StateMachine, type Transition } from '../../../contract/src/model.ts';
import { senderForm } from '../../../contract/src/sender.ts';
import { stateDiagram } from '../../../scripts/artifacts/diagram.ts';

const machines = Object.entries(senderForm(readBundle())['x-state-machines']);

describe.each(machines)('the diagram of the %s machine', (_, machine) => {
  const svg = stateDiagram(machine);

  it('has a box with the name of every state', () => {
    expect(
      boxes(svg)
        .map(({ name }) => name)
        .sort(),
    ).toEqual([...Object.keys(machine.states), 'start'].sort());
  });

  it('gives the final states, and only them, a second border', () => {
    const twice = boxes(svg).flatMap(({ name, borders }) => (borders.length === 2 ? [name] : []));
    expect(twice.sort()).toEqual(
      Object.keys(machine.states)
        .filter((name) => machine.states[name]?.final)
        .sort(),
    );
  });

  it('has an arrow for every transition, labeled with its actor except the service', () => {
    const drawn = arrows(svg).map(({ from, to, label }) => `${from} ${to} ${label}`);
    const moves = machine.transitions.map((move) => ({ ...move, by: move.by === 'service' ? '' : move.by }));
    expect(drawn.sort()).toEqual(moves.map(({ from, to, by }) => `${from ?? 'start'} ${to} ${by}`).sort());
    expect(svg).toContain('Arrows without a name are transitions by the service.');
  });

  it('draws specified transitions solid and assumed ones dashed', () => {
    const solid = (move: Transition) => Boolean(move['x-source']) && !move['x-assumption'];
    for (const { from, to, dashed } of arrows(svg)) {
      const move = machine.transitions.find((each) => (each.from ?? 'start') === from && each.to === to);
      expect(dashed, `${from} ${to}`).toBe(!solid(move as Transition));
    }
  });
});

it('rejects a machine with a transition to an unknown state', () => {
  const machine: StateMachine = {
    title: 'Odd',
    states: { A: { meaning: '', final: false } },
    transitions: [{ from: null, to: 'C', by: 'service', when: '' }],
  };
  expect(() => stateDiagram(machine)).toThrow('Odd: a transition names C, which is not a state');
});

function boxes(svg: string) {
  return [...svg.matchAll(/<g data-state="(\w+)">(.*?)<text [^>]*>(\w+)<\/text>/g)].map(([, id, shapes = '', name]) => {
    expect(name).toBe(id);
    return { name, borders: [...shapes.matchAll(/ d="/g)] };
  });
}

function arrows(svg: string) {
  const groups =
    /<g data-move="(\w+) (\w+)"><title>.*?<\/title><path ([^>]*)\/><polygon [^>]*\/>(?:<text [^>]*>\s*(\w+))?/g;
  return [...svg.matchAll(groups)].map(([, from, to, attributes = '', label = '']) => {
    return { from, to, label, dashed: attributes.includes('stroke-dasharray') };
  });
}
