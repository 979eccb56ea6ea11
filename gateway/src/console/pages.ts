/** The documents of a console: the shell in which its script draws every page, and the form that takes a key. */
import { currencies, minorUnits } from '../../../generated/currencies.ts';
import { paymentDeclineReasons, payoutDeclineReasons } from '../../../generated/decline-reasons.ts';
import { paymentStatuses, payoutStatuses } from '../../../generated/statuses.ts';
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

/** Facts of the contract that the script of each console needs before its first request. */
export const CONTRACT_FACTS = {
  currencies,
  minorUnits,
  statuses: { payment: paymentStatuses, payout: payoutStatuses },
  declineReasons: { payment: Object.keys(paymentDeclineReasons), payout: Object.keys(payoutDeclineReasons) },
};

export interface Shell {
  readonly title: string;
  readonly facts: typeof CONTRACT_FACTS;
  /** Says what works without JavaScript. */
  readonly without: Html;
}

/** The console's HTML document. It contains no data and is the same for everyone. */
export function renderShell(assets: Assets, { title, facts, without }: Shell): string {
  const folder = `console/assets/${assets.version}`;
  const modules = [...assets.files.keys()].filter((name) => name.endsWith('.js'));
  return frame({
    title,
    folder,
    head: html`<meta name="contract-facts" content="${JSON.stringify(facts)}">
${modules.map((name) => html`<link rel="modulepreload" href="${folder}/${name}">\n`)}<script type="module" src="${folder}/app.js"></script>`,
    body: html`<div id="app"><header class="top"><span class="brand">${title}</span></header><div class="frame"><nav class="side"></nav><main class="page"><p class="loading">Loading…</p></main></div></div>
<noscript><p class="card narrow">The console needs JavaScript. ${without}</p></noscript>`,
  });
}

/** The login page of a console. */
export interface LoginForm {
  readonly title: string;
  /** The name of the key, and an example's beginning. */
  readonly label: string;
  readonly placeholder: string;
  /** Shown below the form. */
  readonly hint: Html;
}

export interface LoginState {
  /** Shown above the form. */
  readonly error?: string;
  /** The page is this many folders below the console. */
  readonly depth?: number;
}

/** The form that takes a key. */
export function loginPage(assets: Assets, form: LoginForm, { error, depth = 0 }: LoginState): string {
  const up = '../'.repeat(depth);
  return frame({
    title: error === undefined ? form.title : `Error: ${form.title}`,
    folder: `${up}assets/${assets.version}`,
    body: html`<main class="card narrow">
<h1>${form.title}</h1>
${error !== undefined && html`<p class="notice bad" role="alert">${error}</p>`}
<form method="post" action="${up}login">
<label class="field"><span>${form.label}</span><input name="key" type="password" autocomplete="off" spellcheck="false" required autofocus placeholder="${form.placeholder}"></label>
<button class="primary" type="submit">Log in</button>
</form>
${form.hint}
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
