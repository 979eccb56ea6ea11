/** The console's HTML documents: the shell, in which its script draws every page, and the login. */
import { currencies, minorUnits } from '../../../generated/currencies.ts';
import { paymentDeclineReasons, payoutDeclineReasons } from '../../../generated/decline-reasons.ts';
import { finalStatuses, paymentStatuses, payoutStatuses } from '../../../generated/statuses.ts';
import { webhookNames } from '../../../generated/webhooks.ts';
import { type Html, html } from '../http/html.ts';
import { pageHeaders } from '../http/page-headers.ts';
import type { Services } from '../transactions/services.ts';
import type { Assets } from './assets.ts';

/** Headers of every page. Only this gateway's own files run and load, and the script can't write HTML. */
export const PAGE_HEADERS = pageHeaders([
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
]);

/** Loaded when their page is opened first. */
const LAZY_MODULES = ['explorer.js'];

/** The gateway that serves the console. */
export interface Served {
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
    declines: { payment: paymentDeclineReasons, payout: payoutDeclineReasons },
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
`.text;
}
