/** The frame of the kit's pages. They request no other hosts, and work without scripts. */
import { TONES } from './words.ts';

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
<title>${escapeXml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
${body}
${script === undefined ? '' : `<script>${script}</script>\n`}</body>
</html>
`;
}

export function verdictBadge(text: keyof typeof TONES): string {
  return `<span class="pill ${TONES[text]}">${escapeXml(text)}</span>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
/** Characters that XML 1.0 doesn't allow, not even as references. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: removes these characters
const NOT_XML = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;

export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(NOT_XML, '\ufffd')
    .replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

export const STYLE = `
:root { color-scheme: light dark; --line: light-dark(#d5d8de, #3a3f47); --quiet: light-dark(#565d68, #a4acb8); --page: light-dark(#fff, #14171b); --ink: light-dark(#1b1f24, #e6e9ee); --code: light-dark(#f3f5f8, #1e2228); --link: light-dark(#0b5cd5, #7db1ff); --good: light-dark(#116329, #4cc26a); --bad: light-dark(#b3202c, #ff7b83); --partly: light-dark(#7d5200, #e0a93b); --open: light-dark(#3d4a5c, #aebbd0); }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 68rem; padding: 1.5rem 1rem 4rem; background: var(--page); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
h1 { margin: 0 0 .5rem; font-size: clamp(1.25rem, 4vw, 1.75rem); line-height: 1.25; overflow-wrap: anywhere; }
h2 { margin: 2.5rem 0 .75rem; font-size: 1.2rem; }
p { margin: .25rem 0; }
a { color: var(--link); }
.eyebrow, .quiet { color: var(--quiet); font-size: .875rem; }
.mark { margin-right: .5rem; }
.good { color: var(--good); } .bad { color: var(--bad); } .partly { color: var(--partly); } .open { color: var(--open); }
.pill { display: inline-block; padding: 0 .5rem; border: 1px solid currentColor; border-radius: 1rem; font-size: .8125rem; white-space: nowrap; }
code, pre { font: .8125rem/1.5 ui-monospace, SFMono-Regular, Menlo, monospace; }
code { overflow-wrap: anywhere; }
pre { margin: .5rem 0; padding: .75rem; border-radius: .375rem; background: var(--code); white-space: pre-wrap; overflow-wrap: anywhere; }
.columns { display: flex; flex-wrap: wrap; gap: 1rem 3rem; align-items: flex-start; }
table { border-collapse: collapse; }
.wide { overflow-x: auto; } .lined { font-size: .875rem; } .lined tr { border-bottom: 1px solid var(--line); } .lined thead th { color: var(--quiet); white-space: nowrap; } .lined tbody th { min-width: 9rem; }
th, td { padding: .25rem 1rem .25rem 0; text-align: left; font-weight: normal; }
.numbers { display: flex; flex-wrap: wrap; gap: .5rem 2rem; margin: 0; }
.numbers dt { color: var(--quiet); font-size: .875rem; } .numbers dd { margin: 0; font-size: 1.5rem; font-variant-numeric: tabular-nums; }
details { border-top: 1px solid var(--line); }
details:last-of-type { border-bottom: 1px solid var(--line); }
summary { padding: .5rem .25rem; cursor: pointer; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
details > :not(summary) { margin-left: .5rem; }
.groups { padding: 0; list-style: none; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; margin: .25rem 0; }
dl.numbers { display: flex; }
dt { color: var(--quiet); } dd { margin: 0; min-width: 0; }
.kind { display: inline-block; min-width: 9rem; } .share { display: inline-block; min-width: 5rem; font-variant-numeric: tabular-nums; }
meter { width: min(12rem, 30vw); vertical-align: middle; }
.items { padding: 0 0 .5rem; list-style: none; } .items li { padding: .125rem 0; }
.missing code { color: var(--partly); }
input { width: min(24rem, 100%); padding: .375rem .5rem; border: 1px solid var(--quiet); border-radius: .375rem; background: var(--page); color: inherit; font: inherit; }
[hidden] { display: none; }
@media (max-width: 36rem) { dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .5rem; } .kind { min-width: 7rem; } meter { width: 5rem; } }
@media print { details > * { display: block; } input, label { display: none; } }
`;

export const SCRIPT = `
const filter = document.getElementById('filter');
filter.addEventListener('input', () => {
  const words = filter.value.toLowerCase().split(/\\s+/).filter(Boolean);
  for (const family of document.querySelectorAll('.family')) {
    let shown = 0;
    for (const item of family.querySelectorAll('li')) {
      item.hidden = !words.every((word) => item.dataset.text.includes(word));
      if (!item.hidden) shown += 1;
    }
    family.hidden = shown === 0;
    if (words.length > 0) family.open = shown > 0;
  }
});
`;
