/** The console of a sandbox, in which a merchant sees and simulates everything. A live gateway has none of it. */
import { readFileSync } from 'node:fs';
import { BUNDLE_FILE } from '../../../contract/src/model.ts';
import { webhookNames } from '../../../generated/webhooks.ts';
import { html } from '../http/html.ts';
import { NO_CONTENT, type PlainResponse } from '../http/plain.ts';
import type { RateLimits } from '../http/rate-limits.ts';
import type { Route } from '../http/router.ts';
import { isFromOtherSite } from '../http/same-site.ts';
import type { ServedRequest } from '../http/served-request.ts';
import { staticFile } from '../node/static-file.ts';
import type { Services } from '../operations/operation.ts';
import { findKey } from '../store/access/api-keys.ts';
import { createConsoleSession, endConsoleSession, redeemConsoleLink } from '../store/access/console-access.ts';
import { API_FILES } from '../wire/gateway-apis.ts';
import { CONTRACT_FACTS, confirmPage, type LoginForm } from './pages.ts';
import { ConsolePages, htmlResponse } from './routes.ts';

export interface ConsoleOptions {
  readonly services: Services;
  readonly rates: RateLimits;
  /** Accept the public key of the demo merchant. */
  readonly demo: boolean;
  /** Called with the token of a session that has ended. */
  readonly onSessionEnd: (session: string) => void;
}

const HOME = '/console';

const UNUSABLE_LINK =
  'This link has been used, or is older than 15 minutes. Log in with your API key, or create another link.';

const FACTS = {
  ...CONTRACT_FACTS,
  webhooks: Object.values(webhookNames).flatMap((names) => Object.values(names)),
};

/** The console's routes. */
export function sandboxConsoleRoutes({ services, rates, demo, onSessionEnd }: ConsoleOptions): Route[] {
  const { store, clock } = services;
  const pages = new ConsolePages(
    {
      ...{ name: 'sandbox', home: HOME, form },
      shell: () => ({
        title: 'Console',
        facts: FACTS,
        without: html`The API does all that it does: see the reference at <a href="docs">/docs</a>.`,
      }),
      invalidKey: 'This API key is not valid. Check that it is complete, not revoked, and of this gateway.',
      async begin(key) {
        const valid = await findKey(store.read, key, { live: false, demo });
        return valid && store.unit((db) => createConsoleSession(db, key, clock.now()));
      },
      async end(session) {
        await store.unit((db) => endConsoleSession(db, session));
        onSessionEnd(session);
      },
    },
    { rates, clock },
  );
  const redeem = (request: ServedRequest) =>
    pages.admit(
      request,
      () => store.unit((db) => redeemConsoleLink(db, request.parameter('token'), clock.now())),
      { status: 410, error: UNUSABLE_LINK },
      '../../console',
    );
  const open = (request: ServedRequest): PlainResponse | Promise<PlainResponse> => {
    // A browser that only fetches the link ahead, or shows it inside another page, doesn't use it up.
    if (!isOpened(request)) return NO_CONTENT;
    if (isFromOtherSite(request)) return htmlResponse(confirmPage(pages.assets));
    return redeem(request);
  };
  return pages.routes([
    ...documents(),
    { method: 'GET', path: `${HOME}/login/{token}`, respond: open },
    { method: 'POST', path: `${HOME}/login/{token}`, respond: redeem },
  ]);
}

/** The documents of which the console's forms are made. They are the same for everyone. */
function documents(): Route[] {
  const files = Object.entries({ 'contract.json': BUNDLE_FILE, 'sandbox.json': API_FILES.sandbox });
  return files.map(([name, source]) => {
    const file = staticFile(
      'application/json; charset=utf-8',
      () => readFileSync(source),
      () => ({ 'cross-origin-resource-policy': 'same-origin' }),
    );
    return { method: 'GET', path: `${HOME}/${name}`, respond: ({ headers }) => file(headers) };
  });
}

function form({ plain: { protocol, host } }: ServedRequest): LoginForm {
  return {
    title: 'Log in to the console',
    label: 'API key',
    placeholder: 'sk_test_…',
    hint: html`<p class="quiet">Or open a link that works once. Create it with your key:</p>
<pre class="code">curl -H 'Authorization: Bearer API_KEY' \\
  -X POST ${protocol}://${host}/sandbox/console-links</pre>`,
  };
}

/** Whether a person sees the response to this request. Clients that are not browsers don't tell. */
function isOpened({ method, headers }: ServedRequest): boolean {
  if (method !== 'GET') return false;
  const purpose = headers['sec-purpose'] ?? headers['purpose'];
  return purpose === undefined && (headers['sec-fetch-dest'] ?? 'document') === 'document';
}
