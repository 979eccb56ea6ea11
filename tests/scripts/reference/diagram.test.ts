import { describe, expect, it } from 'vitest';
import { readBundle } from '../../../contract/src/model.ts';
import { senderForm } from '../../../contract/src/sender.ts';
import { stateDiagram } from '../../../scripts/artifacts/diagram.ts';

const machines = Object.entries(senderForm(readBundle())['x-state-machines']);

describe.each(machines)('the diagram of the %s machine', (_, machine) => {
  const svg = stateDiagram(machine);

  it('has a box for every state, and a second border for final ones', () => {
    const drawn = boxes(svg).map(({ name, borders }) => `${name} ${borders.length === 2}`);
    const states = Object.entries(machine.states).map(([name, { final }]) => `${name} ${final}`);
    expect(drawn.sort()).toEqual([...states, 'start false'].sort());
  });

  it('has an arrow for every transition, with its actor except the service, dashed if it is assumed', () => {
    const drawn = arrows(svg).map(({ from, to, label, dashed }) => `${from} ${to} ${label} ${dashed}`);
    const moves = machine.transitions.map(({ from, to, by, ...basis }) => {
      const isAssumed = !basis['x-source'] || Boolean(basis['x-assumption']);
      return `${from ?? 'start'} ${to} ${by === 'service' ? '' : by} ${isAssumed}`;
    });
    expect(drawn.sort()).toEqual(moves.sort());
    expect(svg).toContain('Arrows without a name are transitions by the service.');
  });
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
