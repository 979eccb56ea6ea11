/** The frame that the kit's pages share. They ask no host for anything, and work without scripts. */
import { escapeXml as html } from './escape.ts';
import { STYLE } from './html-assets.ts';

/** `body` is markup. */
export function htmlPage(title: string, body: string, script?: string): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:">
<link rel="icon" href="data:,">
<title>${html(title)}</title>
<style>${STYLE}</style>
</head>
<body>
${body}
${script === undefined ? '' : `<script>${script}</script>\n`}</body>
</html>
`;
}

const TONES: Readonly<Record<string, string>> = {
  met: 'good',
  conforming: 'good',
  'not met': 'bad',
  violating: 'bad',
  fault: 'bad',
  'violating, assumed': 'bad',
  differs: 'partly',
};

/** A verdict or an outcome in its color. */
export function verdictBadge(text: string): string {
  return `<span class="pill ${TONES[text] ?? 'open'}">${html(text)}</span>`;
}
