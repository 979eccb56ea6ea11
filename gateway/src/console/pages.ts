/** The documents of the console: the shell in which its script draws every page, and the pages for logging in. */
import { currencies, minorUnits } from '../../../generated/currencies.ts';
import { paymentDeclineReasons, payoutDeclineReasons } from '../../../generated/decline-reasons.ts';
import { paymentStatuses, payoutStatuses } from '../../../generated/statuses.ts';
import { webhookNames } from '../../../generated/webhooks.ts';
import { type Html, html } from '../http/html.ts';
import { pageHeaders } from '../http/page-headers.ts';
import type { Assets } from './assets.ts';

/** Headers of every page. Only this gateway's own files run and load, and the script can't write HTML. */
export const PAGE_HEADERS = pageHeaders([
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
]);

/** Facts of the contract that the script needs before its first request. */
const FACTS = {
  currencies,
  minorUnits,
  statuses: { payment: paymentStatuses, payout: payoutStatuses },
  declineReasons: { payment: Object.keys(paymentDeclineReasons), payout: Object.keys(payoutDeclineReasons) },
  webhooks: Object.values(webhookNames).flatMap((names) => Object.values(names)),
};

/** The document at /console. It holds nothing of a merchant, so it is the same for everyone. */
export function shell(assets: Assets): string {
  const folder = `console/assets/${assets.version}`;
  const modules = [...assets.files.keys()].filter((name) => name.endsWith('.js'));
  return frame({
    title: 'Console',
    folder,
    head: html`<meta name="contract-facts" content="${JSON.stringify(FACTS)}">
${modules.map((name) => html`<link rel="modulepreload" href="${folder}/${name}">\n`)}<script type="module" src="${folder}/app.js"></script>`,
    body: html`<div id="app"><header class="top"><span class="brand">Console</span></header><div class="frame"><nav class="side"></nav><main class="page"><p class="loading">Loading…</p></main></div></div>
<noscript><p class="card narrow">The console needs JavaScript. The API does all that it does: see the reference at <a href="docs">/docs</a>.</p></noscript>`,
  });
}

export interface LoginPage {
  /** Shown above the form. */
  readonly error?: string;
  /** The page is this many folders below /console. */
  readonly depth?: number;
  /** Base URL of the gateway as the browser knows it. */
  readonly address: string;
}

/** The form that takes an API key. */
export function loginPage(assets: Assets, { error, depth = 0, address }: LoginPage): string {
  const up = '../'.repeat(depth);
  return frame({
    title: error === undefined ? 'Log in to the console' : 'Error: Log in to the console',
    folder: `${up}assets/${assets.version}`,
    body: html`<main class="card narrow">
<h1>Log in to the console</h1>
${error !== undefined && html`<p class="notice bad" role="alert">${error}</p>`}
<form method="post" action="${up}login">
<label class="field"><span>API key</span><input name="key" type="password" autocomplete="off" spellcheck="false" required autofocus placeholder="sk_test_…"></label>
<button class="primary" type="submit">Log in</button>
</form>
<p class="quiet">Or open a link that works once. Create it with your key:</p>
<pre class="code">curl -H 'Authorization: Bearer API_KEY' \\
  -X POST ${address}/sandbox/console-links</pre>
</main>`,
  });
}

/** Asks before a link that another site led to is used: a page could otherwise log a visitor in to a merchant of its own. */
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
