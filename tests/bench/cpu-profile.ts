/** Profiles written by Node with `--cpu-prof`: time by folder, and a flame graph. */
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from '../../scripts/tools/process.ts';

interface Raw {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
    readonly children?: readonly number[];
  }[];
  readonly samples: readonly number[];
  /** Microseconds since the previous sample. */
  readonly timeDeltas: readonly number[];
}

/** A function with its callees. */
export interface Frame {
  readonly name: string;
  /** The repository's folder, the package, or the part of Node that its time counts for. */
  readonly folder: string;
  selfMs: number;
  totalMs: number;
  readonly callees: Map<string, Frame>;
}

/** Path segments that distinguish two folders. */
const DEPTH = 4;
/** Frames of idle time. */
const IDLE = new Set(['(idle)', '(root)']);

/** The root of the calls. Calls of a function from the same place share a frame. */
export function readProfile(text: string): Frame {
  const { nodes, samples, timeDeltas } = JSON.parse(text) as Raw;
  const selfUs = new Map<number, number>();
  for (const [index, id] of samples.entries()) selfUs.set(id, (selfUs.get(id) ?? 0) + (timeDeltas[index] ?? 0));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const root: Frame = { name: 'all', folder: 'node', selfMs: 0, totalMs: 0, callees: new Map() };
  const add = (id: number, caller: Frame): number => {
    const node = byId.get(id);
    if (!node || node.callFrame.functionName === '(idle)') return 0;
    const { functionName, url } = node.callFrame;
    const folder = findFolder(url) ?? (functionName.startsWith('(') ? functionName : caller.folder);
    const name = `${functionName || '(anonymous)'} ${url ? folder : ''}`.trim();
    const frame = IDLE.has(functionName) ? caller : (caller.callees.get(name) ?? newFrame(name, folder));
    if (frame !== caller) caller.callees.set(name, frame);
    const self = IDLE.has(functionName) ? 0 : (selfUs.get(id) ?? 0) / 1_000;
    const callees = (node.children ?? []).reduce((sum, child) => sum + add(child, frame), 0);
    frame.selfMs += self;
    frame.totalMs += self + callees;
    return self + callees;
  };
  const first = nodes[0];
  if (first) add(first.id, root);
  return root;
}

function newFrame(name: string, folder: string): Frame {
  return { name, folder, selfMs: 0, totalMs: 0, callees: new Map() };
}

/**
 * At most four folders of a path, such as gateway/src/database/sqlite. Native code, which has no address, counts for
 * its caller.
 */
function findFolder(url: string): string | undefined {
  if (url === '') return undefined;
  if (url.startsWith('node:')) return url.split('/').slice(0, 2).join('/');
  const path = url.startsWith('file:') ? fileURLToPath(url) : url;
  const [, name] = /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules\/)/.exec(path) ?? [];
  if (name) return name;
  return relative(ROOT, path).split('/').slice(0, -1).slice(0, DEPTH).join('/');
}

/** Time per folder, longest first. */
export function folderTimes(root: Frame): { folder: string; ms: number }[] {
  const times = new Map<string, number>();
  const add = ({ folder, selfMs, callees }: Frame) => {
    times.set(folder, (times.get(folder) ?? 0) + selfMs);
    for (const callee of callees.values()) add(callee);
  };
  add(root);
  return [...times].map(([folder, ms]) => ({ folder, ms })).toSorted((a, b) => b.ms - a.ms);
}

const WIDTH = 1_600;
const ROW = 17;
/** Narrower frames are omitted. */
const NARROWEST = 0.4;
const LETTER = 6.2;

/**
 * Renders a standalone SVG: callers above their callees, with widths in proportion to time. Hovering over a narrow
 * frame shows its name.
 */
export function flameGraph(root: Frame): string {
  const scale = WIDTH / root.totalMs;
  let depth = 0;
  const draw = (frame: Frame, x: number, level: number): string => {
    const width = frame.totalMs * scale;
    if (width < NARROWEST) return '';
    depth = Math.max(depth, level);
    const letters = Math.floor((width - 4) / LETTER);
    const label =
      letters > 2
        ? `<text x="${(x + 2).toFixed(1)}" y="${level * ROW + 12}">${escapeText(frame.name.slice(0, letters))}</text>`
        : '';
    const title = `${frame.name}: ${frame.totalMs.toFixed(0)} ms, ${((100 * frame.totalMs) / root.totalMs).toFixed(1)} %`;
    const box = `<rect x="${x.toFixed(1)}" y="${level * ROW}" width="${width.toFixed(1)}" height="${ROW - 1}" fill="${selectColor(frame.folder)}"><title>${escapeText(title)}</title></rect>`;
    let at = x;
    const below = [...frame.callees.values()]
      .toSorted((a, b) => b.totalMs - a.totalMs)
      .map((callee) => {
        const drawn = draw(callee, at, level + 1);
        at += callee.totalMs * scale;
        return drawn;
      });
    return [`<g>${box}${label}</g>`, ...below].join('\n');
  };
  const drawing = draw(root, 0, 0);
  const size = `viewBox="0 0 ${WIDTH} ${(depth + 1) * ROW}" width="${WIDTH}" height="${(depth + 1) * ROW}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="monospace" font-size="10.5">\n${drawing}\n</svg>\n`;
}

/** One color per folder. */
function selectColor(folder: string): string {
  const hue = [...folder].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 360, 7);
  return `hsl(${hue} 60% 75%)`;
}

function escapeText(text: string): string {
  return text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);
}
