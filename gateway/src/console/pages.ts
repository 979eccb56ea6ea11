/** The console's HTML documents: the shell, in which its script draws every page, and the login. */

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { OTHER_DECLINES } from '../../../contract/src/other-declines.ts';
import { currencies, minorUnits } from '../../../generated/currencies.ts';
import { paymentDeclineReasons, payoutDeclineReasons } from '../../../generated/decline-reasons.ts';
import { finalStatuses, paymentStatuses, payoutStatuses } from '../../../generated/statuses.ts';
import { webhookNames } from '../../../generated/webhooks.ts';
import { type Html, html, pageHeaders } from '../http/html.ts';
import { type StaticFile, staticFile } from '../server/static-file.ts';
import type { Services } from '../transactions/services.ts';

// The console's files for browsers. Their paths contain a hash of all files, so browsers cache them forever. Nothing is
// compiled: Preact and htm are served as published and imported by relative path.

export interface Assets {
  /** A hash of all files. */
  readonly version: string;
  readonly files: ReadonlyMap<string, StaticFile>;
}

const FOLDER = new URL('../../console/', import.meta.url);

/** Browsers find no packages by their names. */
const PACKAGES: Readonly<Record<string, readonly [name: string, url: URL]>> = {
  preact: ['preact.js', new URL('../../../node_modules/preact/dist/preact.module.js', import.meta.url)],
  'preact/hooks': [
    'preact-hooks.js',
    new URL('../../../node_modules/preact/hooks/dist/hooks.module.js', import.meta.url),
  ],
  htm: ['htm.js', new URL('../../../node_modules/htm/dist/htm.module.js', import.meta.url)],
};

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

/** Browsers request the files again once their address has changed, and only this origin may load them. */
const HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  'cross-origin-resource-policy': 'same-origin',
};

/** Reads the files of the console and the packages that they import. */
export function readAssets(): Assets {
  const own = readdirSync(FOLDER).map((name) => [name, new URL(name, FOLDER)] as const);
  const contents = [...own, ...Object.values(PACKAGES)]
    .map(([name, url]) => ({ name, type: name.slice(name.lastIndexOf('.') + 1), text: readFileSync(url, 'utf8') }))
    .map((file) => (file.type === 'js' ? { ...file, text: prepareModule(file.text) } : file));
  const hash = createHash('sha256');
  for (const { name, text } of contents) hash.update(`${name}\n${text}\n`);
  const files = contents.map(
    ({ name, type, text }) => [name, staticFile(TYPES[type] ?? '', () => Buffer.from(text), HEADERS)] as const,
  );
  return { version: hash.digest('base64url').slice(0, 16), files: new Map(files) };
}

const IMPORT = /(\bfrom\s*)(["'])([^"']+)\2/g;

/** Comments on separate lines, and type comments of casts and parameters, which precede code. */
const COMMENTS = /^[ \t]*\/\*\*(?:(?!\*\/)[\s\S])*\*\/[ \t]*\n|^[ \t]*\/\/.*\n|\/\*\* @(?:type|param) [^*]*\*\/ ?/gm;

/** Replaces names of packages, and removes comments, which are a sixth of the bytes, and source maps, which aren't served. */
function prepareModule(source: string): string {
  return source
    .replaceAll(COMMENTS, '')
    .replaceAll(IMPORT, (whole, from: string, _quote, name: string) => {
      const [file] = PACKAGES[name] ?? [];
      return file ? `${from}'./${file}'` : whole;
    })
    .replaceAll(/^\/\/# sourceMappingURL=.*$/gm, '');
}

/** Headers of every page. Only this gateway's own files run and load, and the script can't write HTML. */
export const PAGE_HEADERS = pageHeaders([
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
]);

/** Loaded when their page is opened first. */
const LAZY_MODULES = ['differences.js', 'explorer.js', 'merchants.js'];

/** The gateway that serves the console. */
interface Served {
  readonly methods: Services['methods'];
  readonly sandbox: boolean;
}

/** The console's HTML document. It contains no data and is the same for everyone. */
export function renderShell(assets: Assets, gateway: Served): string {
  const folder = `console/assets/${assets.version}`;
  const modules = [...assets.files.keys()].filter((name) => name.endsWith('.js') && !LAZY_MODULES.includes(name));
  return frame({
    title: 'Console',
    folder,
    head: html`<meta name="facts" content="${JSON.stringify(listFacts(gateway))}">
${modules.map((name) => html`<link rel="modulepreload" href="${folder}/${name}">\n`)}<script type="module" src="${folder}/app.js"></script>`,
    body: html`<div id="app"><header class="top"><span class="brand">Console</span></header><div class="frame"><nav class="side"></nav><main class="page"><p class="loading">Loading…</p></main></div></div>
<noscript><p class="card narrow">The console needs JavaScript. The API has the same functions: see the reference at <a href="docs">/docs</a>.</p></noscript>`,
  });
}

/** Facts that the script needs before its first request. */
function listFacts({ methods, sandbox }: Served) {
  const namesOf = (kind: 'payment' | 'payout') =>
    methods.filter((method) => method.kind === kind).map(({ name }) => name);
  return {
    ...{ currencies, minorUnits, finalStatuses, sandbox },
    statuses: { payment: paymentStatuses, payout: payoutStatuses },
    declines: {
      payment: { ...paymentDeclineReasons, ...OTHER_DECLINES.payment },
      payout: { ...payoutDeclineReasons, ...OTHER_DECLINES.payout },
    },
    methods: { payment: namesOf('payment'), payout: namesOf('payout') },
    webhooks: Object.values(webhookNames).flatMap((names) => Object.values(names)),
  };
}

export interface LoginState {
  /** Shown above the form. */
  readonly error?: string;
  /** The page is this many folders below the console. */
  readonly depth?: number;
}

/** The form that takes a key. The URL is the gateway's. */
export function loginPage(assets: Assets, url: string, { error, depth = 0 }: LoginState): string {
  const up = '../'.repeat(depth);
  const title = 'Log in to the console';
  return frame({
    title: error === undefined ? title : `Error: ${title}`,
    folder: `${up}assets/${assets.version}`,
    body: html`<main class="card narrow">
<h1>${title}</h1>
${error !== undefined && html`<p class="notice bad" role="alert">${error}</p>`}
<form method="post" action="${up}login">
<label class="field"><span>Key</span><input name="key" type="password" autocomplete="off" spellcheck="false" required autofocus placeholder="sk_… or op_…"></label>
<button class="primary" type="submit">Log in</button>
</form>
<p class="quiet">The API key of a merchant, or the key of an operator. The console shows what the key may see.</p>
<details><summary>Open it with a link instead</summary><p class="quiet">In test mode, a merchant's key creates a link that works once:</p>
<pre class="code">curl -H 'Authorization: Bearer API_KEY' \\
  -X POST ${url}/sandbox/console-links</pre></details>
<details><summary>Create an operator's key</summary><p class="quiet">On a machine with the database:</p>
<pre class="code">payments-gateway operator create NAME --role read</pre></details>
</main>`,
  });
}

/**
 * Asks for confirmation before following a login link from another site, which could otherwise log a visitor in to the
 * attacker's merchant.
 */
export function confirmPage(assets: Assets): string {
  return frame({
    title: 'Open the console',
    folder: `../assets/${assets.version}`,
    body: html`<main class="card narrow">
<h1>Open the console</h1>
<p>Another site sent you to this login link. Open it only if you asked for it.</p>
<form method="post"><button class="primary" type="submit">Open the console</button></form>
</main>`,
  });
}

function frame({ title, folder, head, body }: { title: string; folder: string; head?: Html; body: Html }): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="${folder}/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${folder}/console.css">
${head ?? ''}
</head>
<body>
${body}
</body>
</html>
`.toString();
}
