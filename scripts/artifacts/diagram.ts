/**
 * State machines as pictures, drawn from the machine's data.
 *
 * Model: a state stands in the row of its longest path from the start. A move to the next row goes straight down;
 * every other move leaves its box below, runs down a lane beside all boxes and enters its target from above.
 * Hence no arrow runs through a box, and labels stand where nothing else runs.
 * Limit: moves that lead back to an earlier state have no row to go to and are refused.
 */
import type { StateMachine, Transition } from '../../contract/src/model.ts';

/** Sizes in pixels. The widths of letters are those of the widest usual fonts. */
const STATE_LETTER = 7.3;
const LABEL_LETTER = 6.3;
const LABEL_HEIGHT = 12;
const BOX_HEIGHT = 26;
const STEP = 13;
const LANE_STEP = 11;
const CORNER = 7;
const ARROW = 9;

/** Letters are filled, lines are drawn. */
const INK = 'fill="currentColor" stroke="none"';

/** A box; the name of the start's is null. `x` is its middle, `top` its upper edge. */
interface Node {
  name: string | null;
  row: number;
  x: number;
  top: number;
  width: number;
  final: boolean;
}

type Side = -1 | 0 | 1;

/** A move with its way: `side` 0 goes down to the next row, the others use the lane of that number. */
interface Arrow {
  move: Transition;
  from: Node;
  to: Node;
  side: Side;
  lane: number;
  label: string;
  labelWidth: number;
  out: number;
  in: number;
}

/** The heights that the lines between a row and the next one use. */
interface Gap {
  top: number;
  label: number;
  bottom: number;
}

/** The state machine as an SVG that can stand in Markdown. Throws when its moves form a circle. */
export function stateDiagram(machine: StateMachine): string {
  const nodes = placeRows(machine);
  const arrows = routeArrows(machine, nodes);
  setPorts(nodes, arrows);
  placeAcross(nodes);
  const gaps = placeDown(nodes, arrows);
  const lanes = lanePositions(nodes, arrows);
  const parts = arrows.map((arrow) => drawArrow(arrow, arrows, gaps, lanes));
  return frame(machine, [...parts, ...nodes.map(drawNode)], {
    left: lanes(-1, arrows.filter((arrow) => arrow.side === -1).length) - 4,
    right: lanes(1, arrows.filter((arrow) => arrow.side === 1).length) + 4,
    bottom: Math.max(...nodes.map((node) => node.top + BOX_HEIGHT)),
  });
}

/** Every state once, and the start, each in the row of its longest path. */
function placeRows(machine: StateMachine): Node[] {
  const rows = new Map<string | null, number>([[null, 0]]);
  const rowOf = (name: string | null, path: (string | null)[]): number => {
    if (path.includes(name))
      throw new Error(`${machine.title}: the moves ${[...path, name].join(' → ')} form a circle`);
    const before = machine.transitions.filter((move) => move.to === name).map((move) => move.from);
    const row = rows.get(name) ?? Math.max(0, ...before.map((from) => rowOf(from, [...path, name]))) + 1;
    rows.set(name, row);
    return row;
  };
  const node = (name: string | null): Node => ({
    name,
    row: rowOf(name, []),
    x: 0,
    top: 0,
    width: nameOf(name).length * STATE_LETTER + 20,
    final: name !== null && machine.states[name]?.final === true,
  });
  return [null, ...Object.keys(machine.states)].map(node);
}

/** Gives each move its side and lane: what ends goes on the right, the rest on the left, short ways inside. */
function routeArrows(machine: StateMachine, nodes: Node[]): Arrow[] {
  const arrows = machine.transitions.map((move): Arrow => {
    const from = find(machine, nodes, move.from);
    const to = find(machine, nodes, move.to);
    const side: Side = to.row === from.row + 1 ? 0 : to.final ? 1 : -1;
    return { move, from, to, side, lane: 0, label: move.by, labelWidth: move.by.length * LABEL_LETTER, out: 0, in: 0 };
  });
  const placed: Arrow[] = [];
  for (const arrow of arrows.filter(({ side }) => side !== 0).sort((a, b) => span(a) - span(b))) {
    const beside = placed.filter((other) => other.side === arrow.side && overlap(other, arrow));
    while (beside.some((other) => other.lane === arrow.lane)) arrow.lane += 1;
    placed.push(arrow);
  }
  return arrows;
}

function find(machine: StateMachine, nodes: Node[], name: string | null): Node {
  const node = nodes.find((candidate) => candidate.name === name);
  if (!node) throw new Error(`${machine.title}: a move names ${name}, which is no state`);
  return node;
}

function span(arrow: Arrow): number {
  return arrow.to.row - arrow.from.row;
}

function overlap(a: Arrow, b: Arrow): boolean {
  return a.from.row < b.to.row && b.from.row < a.to.row;
}

/** Where arrows leave and enter, from the box's middle; widens the box until all of them have room. */
function setPorts(nodes: Node[], arrows: Arrow[]): void {
  for (const node of nodes) {
    for (const face of ['out', 'in'] as const) {
      const mine = arrows.filter((arrow) => (face === 'out' ? arrow.from : arrow.to) === node);
      const down = mine.filter(({ side }) => side === 0);
      const widths = down.map((arrow) => (face === 'in' || down.length === 1 ? arrow.labelWidth : LABEL_HEIGHT));
      const room = widths.reduce((sum, width) => sum + width + 8, 0);
      let x = -room / 2;
      for (const [index, arrow] of down.entries()) {
        const width = (widths[index] ?? 0) + 8;
        arrow[face] = x + width / 2;
        x += width;
      }
      for (const side of [-1, 1] as const) {
        for (const [index, arrow] of laneArrows(mine, side).entries()) {
          arrow[face] = side * (room / 2 + 4 + index * STEP);
          node.width = Math.max(node.width, 2 * Math.abs(arrow[face]) + 16);
        }
      }
    }
  }
}

/** The arrows of one side, the innermost lane first. */
function laneArrows(arrows: Arrow[], side: Side): Arrow[] {
  return arrows.filter((arrow) => arrow.side === side).sort((a, b) => a.lane - b.lane);
}

function placeAcross(nodes: Node[]): void {
  for (const row of rowsOf(nodes)) {
    const width = Math.max(...row.map((node) => node.width));
    for (const [index, node] of row.entries()) {
      node.width = width;
      node.x = (index - (row.length - 1) / 2) * (width + 18);
    }
  }
}

function rowsOf(nodes: Node[]): Node[][] {
  const last = Math.max(...nodes.map((node) => node.row));
  return Array.from({ length: last + 1 }, (_, row) => nodes.filter((node) => node.row === row));
}

/** Sets the heights of the rows. Between two rows: first what leaves, then the labels, then what enters. */
function placeDown(nodes: Node[], arrows: Arrow[]): Gap[] {
  const gaps: Gap[] = [];
  let y = 4;
  for (const [row, members] of rowsOf(nodes).entries()) {
    for (const node of members) node.top = y;
    const top = y + BOX_HEIGHT;
    const leaving = outTracks(arrows, row) * STEP + 6;
    const entering = Math.max(...([-1, 1] as const).map((side) => enteringAt(arrows, row + 1, side).length));
    const label = top + leaving + LABEL_HEIGHT / 2;
    y = label + LABEL_HEIGHT / 2 + entering * LANE_STEP + ARROW + 2;
    gaps.push({ top, label, bottom: y });
  }
  return gaps;
}

/** How many heights the moves that leave a row need: those to the lanes, then those that go aside to the next row. */
function outTracks(arrows: Arrow[], row: number): number {
  const aside = arrows.filter((arrow) => arrow.from.row === row && isAside(arrow)).length > 0 ? 1 : 0;
  return Math.max(...([-1, 1] as const).map((side) => leavingAt(arrows, row, side).length)) + aside;
}

function leavingAt(arrows: Arrow[], row: number, side: Side): Arrow[] {
  return laneArrows(
    arrows.filter((arrow) => arrow.from.row === row),
    side,
  );
}

function enteringAt(arrows: Arrow[], row: number, side: Side): Arrow[] {
  return laneArrows(
    arrows.filter((arrow) => arrow.to.row === row),
    side,
  );
}

function isAside(arrow: Arrow): boolean {
  return arrow.side === 0 && Math.abs(outX(arrow) - inX(arrow)) > 1;
}

function outX(arrow: Arrow): number {
  return arrow.from.x + arrow.out;
}

function inX(arrow: Arrow): number {
  return arrow.to.x + arrow.in;
}

/** The position of each lane: outside of all boxes and labels. */
function lanePositions(nodes: Node[], arrows: Arrow[]): (side: Side, lane: number) => number {
  const edge = (side: Side) =>
    Math.max(
      ...nodes.map((node) => side * node.x + node.width / 2),
      ...laneArrows(arrows, side).map((arrow) => side * outX(arrow) + CORNER + arrow.labelWidth),
    );
  return (side, lane) => side * (edge(side) + 10 + lane * LANE_STEP);
}

type Lanes = ReturnType<typeof lanePositions>;

function drawArrow(arrow: Arrow, arrows: Arrow[], gaps: Gap[], lanes: Lanes): string {
  const way = arrow.side === 0 ? downWay(arrow, arrows, gaps) : laneWay(arrow, arrows, gaps, lanes);
  const { from, to, by } = arrow.move;
  const tip = `M${pair(inX(arrow) - 3.5, arrow.to.top - 7)}L${pair(inX(arrow), arrow.to.top - 1)}L${pair(inX(arrow) + 3.5, arrow.to.top - 7)}`;
  return [
    `<g data-move="${nameOf(from)} ${to}">`,
    `<title>${nameOf(from)} → ${to}, by ${by}, ${basis(arrow.move)}</title>`,
    `<path d="${way.path}"${isSpecified(arrow.move) ? '' : ' stroke-dasharray="4 3"'}/>`,
    `<path d="${tip}"/>`,
    `<text ${INK} x="${round(way.label[0])}" y="${round(way.label[1] + 3.5)}">${arrow.label}</text></g>`,
  ].join('');
}

interface Way {
  path: string;
  label: readonly [number, number];
}

/** Down to the next row, with the label in the line. */
function downWay(arrow: Arrow, arrows: Arrow[], gaps: Gap[]): Way {
  const gap = gapOf(gaps, arrow.from.row);
  const [start, end] = [outX(arrow), inX(arrow)];
  const aside = isAside(arrow) ? gap.top + outTracks(arrows, arrow.from.row) * STEP : gap.top;
  const half = LABEL_HEIGHT / 2;
  return {
    path: `M${pair(start, gap.top)}V${round(aside)}H${round(end)}V${round(gap.label - half)}M${pair(end, gap.label + half)}V${round(gap.bottom - 1)}`,
    label: [end, gap.label],
  };
}

/** By a lane: the outermost of a row leaves first and enters last, so that the ways of a box do not cross. */
function laneWay(arrow: Arrow, arrows: Arrow[], gaps: Gap[], lanes: Lanes): Way {
  const { side } = arrow;
  const [above, below] = [gapOf(gaps, arrow.from.row), gapOf(gaps, arrow.to.row - 1)];
  const leaving = leavingAt(arrows, arrow.from.row, side);
  const entering = enteringAt(arrows, arrow.to.row, side);
  const leave = above.top + (leaving.length - leaving.indexOf(arrow)) * STEP;
  const enter = below.label + LABEL_HEIGHT / 2 + (entering.indexOf(arrow) + 1) * LANE_STEP - STEP / 2;
  const x = outX(arrow);
  const lane = lanes(side, arrow.lane);
  const [near, far] = [x + side * (CORNER - 3), x + side * (CORNER + arrow.labelWidth)];
  return {
    path: `M${pair(x, above.top)}V${round(leave)}H${round(near)}M${pair(far, leave)}H${round(lane)}V${round(enter)}H${round(inX(arrow))}V${round(below.bottom - 1)}`,
    label: [(near + far) / 2, leave],
  };
}

function gapOf(gaps: Gap[], row: number): Gap {
  const gap = gaps[row];
  if (!gap) throw new Error(`there is no row ${row}`);
  return gap;
}

/** A state as a box, a final one with a double edge; the start is round and in a lighter type. */
function drawNode(node: Node): string {
  const box = (inset: number) => {
    const [x, y] = [node.x - node.width / 2 + inset, node.top + inset];
    const radius = (node.name === null ? BOX_HEIGHT / 2 : 5) - inset;
    return `<rect x="${round(x)}" y="${round(y)}" width="${round(node.width - 2 * inset)}" height="${BOX_HEIGHT - 2 * inset}" rx="${radius}"/>`;
  };
  const type =
    node.name === null ? 'font-size="12"' : 'font-family="ui-monospace,monospace" font-size="12" font-weight="600"';
  const text = `<text ${INK} x="${round(node.x)}" y="${round(node.top + BOX_HEIGHT / 2 + 4)}" ${type}>${nameOf(node.name)}</text>`;
  return `<g${node.name === null ? '' : ` data-state="${node.name}"`}>${box(0)}${node.final ? box(3) : ''}${text}</g>`;
}

function nameOf(state: string | null): string {
  return state ?? 'start';
}

/**
 * Puts title, description and legend around the drawing.
 * There is no viewBox: Redoc's Markdown writes attributes in small letters, and then it is lost.
 */
function frame(machine: StateMachine, parts: string[], edge: { left: number; right: number; bottom: number }): string {
  const legend = [
    { width: 88, sign: '<path d="M0 0H22"/>', text: 'specified' },
    { width: 84, sign: '<path d="M0 0H22" stroke-dasharray="4 3"/>', text: 'assumed' },
    {
      width: 62,
      sign: '<rect x="0" y="-7" width="22" height="14" rx="4"/><rect x="3" y="-4" width="16" height="8" rx="2"/>',
      text: 'final',
    },
  ];
  const room = legend.reduce((sum, { width }) => sum + width, 0);
  const middle = (edge.left + edge.right) / 2;
  const width = Math.ceil(Math.max(edge.right - edge.left, room));
  const height = Math.ceil(edge.bottom + 34);
  let x = middle - room / 2;
  const entries = legend.map(({ sign, text, width: step }) => {
    const entry = `<g transform="translate(${round(x)} ${round(edge.bottom + 22)})">${sign}<text ${INK} x="27" y="3.5" text-anchor="start">${text}</text></g>`;
    x += step;
    return entry;
  });
  return [
    '<figure class="state-diagram">',
    `<svg role="img" width="${width}" height="${height}" fill="none" stroke="currentColor" stroke-width="1.2" font-family="system-ui,sans-serif" font-size="10.5" text-anchor="middle">`,
    `<title>${machine.title}: states and moves</title>`,
    `<desc>${machine.transitions.map(sentence).join(' ')}</desc>`,
    `<g transform="translate(${round(width / 2 - middle)} 0)">`,
    ...parts,
    ...entries,
    '</g>',
    '</svg></figure>',
  ].join('');
}

function sentence(move: Transition): string {
  return `${nameOf(move.from)} to ${move.to} by ${move.by} (${basis(move)}).`;
}

function basis(move: Transition): string {
  return isSpecified(move) ? 'specified' : 'assumed';
}

/** A move that a section names but that rests on an assumption too is assumed. */
function isSpecified(move: Transition): boolean {
  return move['x-source'] !== undefined && move['x-assumption'] === undefined;
}

function pair(x: number, y: number): string {
  return `${round(x)} ${round(y)}`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
