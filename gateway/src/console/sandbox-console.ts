/** The console of a sandbox, in which a merchant sees and simulates everything. A live gateway has none of it. */
import { readFileSync } from 'node:fs';
import type { Hono } from 'hono';
import { BUNDLE_FILE } from '../../../contract/src/model.ts';
import { webhookNames } from '../../../generated/webhooks.ts';
import type { HttpContext, HttpEnv } from '../http/context.ts';
import { API_FILES } from '../http/gateway-apis.ts';
import { html } from '../http/html.ts';
import type { RateLimits } from '../http/rate-limits.ts';
import { respond } from '../http/responses.ts';
import { isFromOtherSite } from '../http/same-site.ts';
import { findKey } from '../merchants/api-keys.ts';
import { createConsoleSession, endConsoleSession, redeemConsoleLink } from '../merchants/console-access.ts';
import { staticFile } from '../server/static-file.ts';
import type { Services } from '../transactions/services.ts';
import { CONTRACT_FACTS, confirmPage, type LoginForm, PAGE_HEADERS } from './pages.ts';
import { ConsolePages } from './routes.ts';

export interface ConsoleOptions {
  readonly services: Services;
  readonly rates: RateLimits;
  /** Accept the public key of the demo merchant. */
  readonly demo: boolean;
  /** Called with the token of an ended session. */
  readonly onSessionEnd: (session: string) => void;
}

const HOME = '/console';

const SAME_ORIGIN = { 'cross-origin-resource-policy': 'same-origin' };

const UNUSABLE_LINK =
  'This link has been used, or is older than 15 minutes. Log in with your API key, or create another link.';

const FACTS = {
  ...CONTRACT_FACTS,
  webhooks: Object.values(webhookNames).flatMap((names) => Object.values(names)),
};

/** Adds the console. */
export function addSandboxConsole(app: Hono<HttpEnv>, { services, rates, demo, onSessionEnd }: ConsoleOptions): void {
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
  const redeem = (c: HttpContext) =>
    pages.admit(
      c,
      () => store.unit((db) => redeemConsoleLink(db, c.req.param('token') ?? '', clock.now())),
      { status: 410, error: UNUSABLE_LINK },
      '../../console',
    );
  const console = pages.app();
  for (const [name, source] of Object.entries({ 'contract.json': BUNDLE_FILE, 'sandbox.json': API_FILES.sandbox })) {
    // The console's forms are made of these documents, which are the same for everyone.
    const file = staticFile('application/json; charset=utf-8', () => readFileSync(source), SAME_ORIGIN);
    console.get(`/${name}`, file);
  }
  console.get('/login/:token', (c) => {
    // A browser that only fetches the link ahead, or shows it inside another page, doesn't use it up.
    if (!isOpened(c)) return respond(c, 204, null);
    if (isFromOtherSite(c)) return c.body(confirmPage(pages.assets), 200, PAGE_HEADERS);
    return redeem(c);
  });
  console.post('/login/:token', redeem);
  pages.mount(app, console);
}

function form({ env: { protocol, host } }: HttpContext): LoginForm {
  return {
    title: 'Log in to the console',
    label: 'API key',
    placeholder: 'sk_test_…',
    hint: html`<p class="quiet">Or open a link that works once. Create it with your key:</p>
<pre class="code">curl -H 'Authorization: Bearer API_KEY' \\
  -X POST ${protocol}://${host}/sandbox/console-links</pre>`,
  };
}

/** Whether a person views the response. Only browsers report it. */
function isOpened({ req }: HttpContext): boolean {
  if (req.method !== 'GET') return false;
  const purpose = req.header('sec-purpose') ?? req.header('purpose');
  return purpose === undefined && (req.header('sec-fetch-dest') ?? 'document') === 'document';
}
