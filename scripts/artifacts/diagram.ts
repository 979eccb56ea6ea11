/**
 * State machines as pictures: Graphviz draws the states and moves, and its output becomes an SVG that Markdown can
 * contain. Colors and fonts are the page's.
 */
import { type Graph, instance } from '@viz-js/viz';
import type { StateMachine, Transition } from '../../contract/src/model.ts';

const graphviz = await instance();

/** Graphviz uses the widths of these fonts, which are the widest of the usual ones. The page shows its own fonts. */
const SANS = 'Verdana';
const MONO = 'Courier';
const FONTS = { [SANS]: 'system-ui,sans-serif', [MONO]: 'ui-monospace,monospace' };

/** The name of the box that creations leave from. */
const START = 'start';

const SERVICE = 'service';

const LEGEND =
  '<small>Arrows without a name are transitions by the service. Solid arrows are specified, dashed arrows are assumed. ' +
  'States with a double border are final.</small>';

/** The state machine as a figure in one line of HTML. Throws when a move names a state that the machine doesn't have. */
export function stateDiagram(machine: StateMachine): string {
  for (const name of machine.transitions.flatMap(({ from, to }) => (from === null ? [to] : [from, to]))) {
    if (!machine.states[name]) throw new Error(`${machine.title}: a transition names ${name}, which is not a state`);
  }
  const svg = graphviz.renderString(graph(machine), { format: 'svg' });
  return `<figure class="state-diagram">${forMarkdown(svg, machine)}<figcaption>${LEGEND}</figcaption></figure>`;
}

function graph({ states, transitions }: StateMachine): Graph {
  return {
    directed: true,
    graphAttributes: { bgcolor: 'transparent', ranksep: 0.3, nodesep: 0.05 },
    nodeAttributes: { shape: 'box', style: 'rounded', fontname: MONO, fontsize: 12, height: 0.38, margin: '0.1,0.05' },
    edgeAttributes: { fontname: SANS, fontsize: 11, arrowsize: 0.6 },
    nodes: [
      { name: START, attributes: { fontname: SANS } },
      ...Object.entries(states).map(([name, { final }]) => ({ name, attributes: { peripheries: final ? 2 : 1 } })),
    ],
    edges: transitions.map((move, index) => ({
      tail: move.from ?? START,
      head: move.to,
      attributes: {
        id: String(index),
        // Most moves are the service's. Naming each would hide who else moves a transaction.
        ...(move.by !== SERVICE && { label: ` ${move.by} ` }),
        style: isSpecified(move) ? 'solid' : 'dashed',
      },
    })),
  };
}

/**
 * Removes from Graphviz's SVG what only a separate file needs, and adds a title and a description for screen readers.
 * There is no viewBox: Redoc's Markdown lowercases attributes, and the browser ignores `viewbox`.
 */
function forMarkdown(svg: string, { title, transitions }: StateMachine): string {
  const fonts = Object.entries(FONTS);
  return svg
    .slice(svg.indexOf('<svg'))
    .replace(
      /<svg width="(\d+)pt" height="(\d+)pt"[^>]*>/,
      (_, width, height) =>
        `<svg role="img" width="${width}" height="${height}" fill="currentColor"><title>${title}: states and transitions</title>` +
        `<desc>${transitions.map((move) => `${describe(move)}.`).join(' ')}</desc>`,
    )
    .replace(/<g id="\w+" class="node">\s*<title>(\w+)<\/title>/g, '<g data-state="$1">')
    .replace(/<g id="(\d+)" class="edge">\s*<title>.*<\/title>/g, (_, index) => {
      const move = transitions[Number(index)] as Transition;
      return `<g data-move="${move.from ?? START} ${move.to}"><title>${describe(move)}</title>`;
    })
    .replace(/font-family="(\w+)[^"]*"/g, (_, font) => `font-family="${fonts.find(([name]) => name === font)?.[1]}"`)
    .replace(/ (id|class|xml:space)="[^"]*"/g, '')
    .replace(/<!--.*?-->/gs, '')
    .replaceAll('"black"', '"currentColor"')
    .replaceAll(/\s*\n\s*/g, '');
}

function describe(move: Transition): string {
  return `${move.from ?? START} to ${move.to} by ${move.by} (${isSpecified(move) ? 'specified' : 'assumed'})`;
}

/** A move that a section names but that rests on an assumption too is assumed. */
function isSpecified(move: Transition): boolean {
  return move['x-source'] !== undefined && move['x-assumption'] === undefined;
}
