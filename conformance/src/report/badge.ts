/** A badge: how many of the claimed levels are met. */
import { escapeXml } from './html-page.ts';
import type { Report } from './report.ts';
import { outcomePhrase } from './words.ts';

const LABEL = 'conformance';
const COLORS = { good: '#1a7f37', partly: '#9a6700', bad: '#cf222e' };
/** Approximate width of a character of Verdana at 11 px. */
const CHARACTER_PX = 6.6;
const PADDING_PX = 10;
const HEIGHT_PX = 20;

export function badge(report: Report): string {
  const { outcome, levels, contract } = report;
  const met = levels.filter((level) => level.outcome === 'met').length;
  const isWhole = outcome === 'conforms' && met === levels.length;
  const share = isWhole ? 'all levels' : `${met} of ${levels.length} levels`;
  const text = [contract, share, ...(outcome.includes('except') ? [outcomePhrase(report)] : [])].join(', ');
  const color = isWhole ? COLORS.good : outcome.startsWith('conforms') ? COLORS.partly : COLORS.bad;
  const [left, right] = [measureWidth(LABEL), measureWidth(text)];
  const title = escapeXml(`${LABEL}: ${text}`);
  const label = (x: number, content: string) =>
    `<text x="${x}" y="14" text-anchor="middle">${escapeXml(content)}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="${HEIGHT_PX}" role="img" aria-label="${title}">
<title>${title}</title>
<clipPath id="round"><rect width="${left + right}" height="${HEIGHT_PX}" rx="3"/></clipPath>
<g clip-path="url(#round)"><rect width="${left}" height="${HEIGHT_PX}" fill="#444"/><rect x="${left}" width="${right}" height="${HEIGHT_PX}" fill="${color}"/></g>
<g fill="#fff" font-family="Verdana,Geneva,sans-serif" font-size="11">${label(left / 2, LABEL)}${label(left + right / 2, text)}</g>
</svg>
`;
}

function measureWidth(text: string): number {
  return Math.round(text.length * CHARACTER_PX) + PADDING_PX;
}
