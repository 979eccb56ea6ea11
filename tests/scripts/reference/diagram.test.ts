import { describe, expect, it } from 'vitest';
import { readBundle, type StateMachine, type Transition } from '../../../contract/src/model.ts';
import { senderForm } from '../../../contract/src/sender.ts';
import { stateDiagram } from '../../../scripts/artifacts/diagram.ts';

const machines = Object.entries(senderForm(readBundle())['x-state-machines']);

type Point = [x: number, y: number];

interface Area {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

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
    expect(svg).toContain('Arrows without a name are moves by the service.');
  });

  it('draws specified transitions solid and assumed ones dashed', () => {
    const solid = (move: Transition) => Boolean(move['x-source']) && !move['x-assumption'];
    for (const { from, to, dashed } of arrows(svg)) {
      const move = machine.transitions.find((each) => (each.from ?? 'start') === from && each.to === to);
      expect(dashed, `${from} ${to}`).toBe(!solid(move as Transition));
    }
  });

  it('describes every move in text', () => {
    const description = /<desc>(.*)<\/desc>/.exec(svg)?.[1] ?? '';
    for (const { from, to, by } of machine.transitions) {
      expect(description).toContain(`${from ?? 'start'} to ${to} by ${by}`);
    }
  });

  it('runs no arrow through a box', () => {
    for (const { name, area } of boxes(svg)) expect(crossing(svg, grow(area, -1)), name).toEqual([]);
  });

  it('runs no arrow over a label', () => {
    for (const { label, area } of named(svg)) expect(crossing(svg, area), label).toEqual([]);
  });

  it('stays within its picture', () => {
    const [, width, height] = /<svg[^>]* width="(\d+)" height="(\d+)"/.exec(svg) ?? [];
    const [, x, y] = /translate\(([\d.]+) ([\d.]+)\)/.exec(svg) ?? [];
    const areas = [...named(svg), ...boxes(svg)].map(({ area }) => area);
    expect(Math.min(...areas.map(({ left }) => left)) + Number(x)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...areas.map(({ right }) => right)) + Number(x)).toBeLessThanOrEqual(Number(width));
    expect(Math.min(...areas.map(({ top }) => top)) + Number(y)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...areas.map(({ bottom }) => bottom)) + Number(y)).toBeLessThanOrEqual(Number(height));
  });

  it("is one line of HTML that uses the page's colors and no external resources", () => {
    expect(svg).not.toMatch(/https?:|url\(|href|\n|black/);
    expect(svg).toContain('currentColor');
  });

  it('has no attribute that changes in lower case', () => {
    expect(
      [...svg.matchAll(/ ([\w:-]+)="/g)].map(([, name = '']) => name).filter((name) => /[A-Z:]/.test(name)),
    ).toEqual([]);
  });

  it('is deterministic', () => {
    expect(stateDiagram(machine)).toBe(svg);
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
    const borders = [...shapes.matchAll(/ d="([^"]*)"/g)].map(([, path = '']) => points(path));
    return { name, borders, area: measureArea(borders.flat()) };
  });
}

function arrows(svg: string) {
  const groups =
    /<g data-move="(\w+) (\w+)"><title>.*?<\/title><path ([^>]*)d="([^"]*)"\/><polygon [^>]*\/>(?:<text [^>]*?x="([\d.-]+)" y="([\d.-]+)"[^>]*>\s*(\w+))?/g;
  return [...svg.matchAll(groups)].map(([, from, to, attributes = '', path = '', x, y, label = '']) => {
    const half = label.length * 2.9;
    const area = { left: Number(x) - half, right: Number(x) + half, top: Number(y) - 8, bottom: Number(y) };
    return { from, to, label, area, dashed: attributes.includes('stroke-dasharray'), curve: curve(points(path)) };
  });
}

/** Arrows with a label. */
function named(svg: string) {
  return arrows(svg).filter(({ label }) => label !== '');
}

function points(path: string): Point[] {
  return [...path.matchAll(/([\d.-]+),([\d.-]+)/g)].map(([, x, y]) => [Number(x), Number(y)]);
}

/** Points on a curve of cubic Bézier pieces, closer together than any drawn detail. */
function curve(given: Point[]): Point[] {
  const result: Point[] = [];
  for (let at = 0; at + 3 < given.length; at += 3) {
    const [a, b, c, d] = given.slice(at, at + 4) as [Point, Point, Point, Point];
    for (let step = 0; step <= 100; step++) {
      const t = step / 100;
      const mix = (axis: 0 | 1) =>
        (1 - t) ** 3 * a[axis] + 3 * (1 - t) ** 2 * t * b[axis] + 3 * (1 - t) * t ** 2 * c[axis] + t ** 3 * d[axis];
      result.push([mix(0), mix(1)]);
    }
  }
  return result;
}

function measureArea(all: Point[]): Area {
  const [xs, ys] = [all.map(([x]) => x), all.map(([, y]) => y)];
  return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
}

function grow({ left, right, top, bottom }: Area, by: number): Area {
  return { left: left - by, right: right + by, top: top - by, bottom: bottom + by };
}

/** The arrows whose curve has a point in the area. */
function crossing(svg: string, { left, right, top, bottom }: Area): string[] {
  return arrows(svg)
    .filter((arrow) => arrow.curve.some(([x, y]) => x > left && x < right && y > top && y < bottom))
    .map(({ from, to }) => `${from} ${to}`);
}
