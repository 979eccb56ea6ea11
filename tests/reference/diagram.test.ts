import { describe, expect, it } from 'vitest';
import { readBundle, type StateMachine, type Transition } from '../../contract/src/model.ts';
import { stateDiagram } from '../../scripts/artifacts/diagram.ts';

const machines = Object.entries(readBundle()['x-state-machines']);

/** A straight piece of an arrow, from left to right and from top to bottom. */
interface Line {
  x1: number;
  y1: number;
  x2: number;
  y2: number;
}

describe.each(machines)('the diagram of the %s machine', (_, machine) => {
  const svg = stateDiagram(machine);

  it('has a box with the name of every state', () => {
    const names = [...svg.matchAll(/data-state="(\w+)".*?>(\w+)<\/text>/g)].map(([, id, text]) => [id, text]);
    expect(names).toEqual(Object.keys(machine.states).map((name) => [name, name]));
  });

  it('gives the final states, and only them, a second edge', () => {
    const twice = [...svg.matchAll(/data-state="(\w+)"(>(<rect[^>]*>){2}<text)?/g)].flatMap(([, id, two]) =>
      two ? [id] : [],
    );
    expect(twice).toEqual(Object.keys(machine.states).filter((name) => machine.states[name]?.final));
  });

  it('has an arrow for every move, with who makes it', () => {
    const drawn = arrows(svg).map(({ from, to, label }) => `${from} ${to} ${label}`);
    expect(drawn).toEqual(machine.transitions.map(({ from, to, by }) => `${from ?? 'start'} ${to} ${by}`));
  });

  it('draws what is specified solid and what is assumed dashed', () => {
    const solid = (move: Transition) => Boolean(move['x-source']) && !move['x-assumption'];
    expect(arrows(svg).map(({ dashed }) => !dashed)).toEqual(machine.transitions.map(solid));
  });

  it('tells every move in its description', () => {
    const description = /<desc>(.*)<\/desc>/.exec(svg)?.[1] ?? '';
    for (const { from, to, by } of machine.transitions) {
      expect(description).toContain(`${from ?? 'start'} to ${to} by ${by}`);
    }
  });

  it('runs no arrow through a box', () => {
    const boxes = [...svg.matchAll(/<rect x="([\d.-]+)" y="([\d.-]+)" width="([\d.]+)" height="26"/g)].map(
      ([, x, y, width]) => ({ x1: Number(x), y1: Number(y), x2: Number(x) + Number(width), y2: Number(y) + 26 }),
    );
    expect(boxes).toHaveLength(Object.keys(machine.states).length + 1);
    const through = arrows(svg).flatMap(({ lines, ...arrow }) =>
      lines.some((line) => boxes.some((box) => touches(line, box, 0.5))) ? [`${arrow.from} ${arrow.to}`] : [],
    );
    expect(through).toEqual([]);
  });

  it('runs no arrow over a label', () => {
    const all = arrows(svg);
    const struck = all.flatMap(({ area }) =>
      all.flatMap(({ lines, from, to }) => (lines.some((line) => touches(line, area, 1)) ? [`${from} ${to}`] : [])),
    );
    expect(struck).toEqual([]);
  });

  it('stays within its picture and needs nothing from outside', () => {
    const width = Number(/<svg[^>]* width="(\d+)"/.exec(svg)?.[1]);
    const shift = Number(/translate\(([\d.-]+) 0\)/.exec(svg)?.[1]);
    const xs = arrows(svg).flatMap(({ lines }) => lines.flatMap(({ x1, x2 }) => [x1 + shift, x2 + shift]));
    expect(Math.min(...xs)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...xs)).toBeLessThanOrEqual(width);
    expect(svg).not.toMatch(/https?:|url\(|href|\n/);
  });
});

describe('a machine that cannot be drawn', () => {
  const state = { meaning: '', final: false };
  const machine = (transitions: Pick<Transition, 'from' | 'to'>[]): StateMachine => ({
    title: 'Odd',
    states: { A: state, B: state },
    transitions: transitions.map((move) => ({ ...move, by: 'service', when: '' })),
  });

  it('is refused with the circle that its moves form', () => {
    const moves = [
      { from: null, to: 'A' },
      { from: 'A', to: 'B' },
      { from: 'B', to: 'A' },
    ];
    expect(() => stateDiagram(machine(moves))).toThrow('A → B → A form a circle');
  });

  it('is refused with the name that is no state', () => {
    expect(() => stateDiagram(machine([{ from: null, to: 'C' }]))).toThrow('names C, which is no state');
  });
});

function arrows(svg: string) {
  const groups = [
    ...svg.matchAll(
      /<g data-move="(\w+) (\w+)">.*?<path d="([^"]*)"( stroke-dasharray="[^"]*")?\/>.*?<text [^>]*?x="([\d.-]+)" y="([\d.-]+)">(\w+)/g,
    ),
  ];
  return groups.map(([, from = '', to = '', path = '', dashed, x, y, label = '']) => {
    const half = label.length * 2.7;
    return {
      from,
      to,
      label,
      dashed: dashed !== undefined,
      lines: lines(path),
      area: { x1: Number(x) - half, y1: Number(y) - 8, x2: Number(x) + half, y2: Number(y) },
    };
  });
}

function lines(path: string): Line[] {
  let [x, y] = [0, 0];
  return [...path.matchAll(/([MHV])([\d.-]+)(?: ([\d.-]+))?/g)].flatMap(([, kind, first, second]) => {
    const before = { x, y };
    if (kind !== 'V') x = Number(first);
    if (kind === 'V') y = Number(first);
    if (kind !== 'M') return [between(before, { x, y })];
    y = Number(second);
    return [];
  });
}

function between(a: { x: number; y: number }, b: { x: number; y: number }): Line {
  return { x1: Math.min(a.x, b.x), y1: Math.min(a.y, b.y), x2: Math.max(a.x, b.x), y2: Math.max(a.y, b.y) };
}

function touches(line: Line, box: Line, margin: number): boolean {
  return (
    line.x2 > box.x1 + margin && line.x1 < box.x2 - margin && line.y2 > box.y1 + margin && line.y1 < box.y2 - margin
  );
}
