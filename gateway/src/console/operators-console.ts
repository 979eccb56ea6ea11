/**
 * The operators' console, with LIVE too. It is below the address of the management API, so that proxies which don't forward
 * that don't forward the console either. It only reads: its sessions have no other role, whatever the operator's is.
 */
import type { Hono } from 'hono';
import { paymentDeclineReasons, payoutDeclineReasons } from '../../../generated/decline-reasons.ts';
import { finalStatuses } from '../../../generated/statuses.ts';
import type { HttpEnv } from '../http/context.ts';
import { readApiDocument } from '../http/gateway-apis.ts';
import { html } from '../http/html.ts';
import type { RateLimits } from '../http/rate-limits.ts';
import { authenticateOperator } from '../operators/operator-keys.ts';
import { createOperatorSession, endOperatorSession } from '../operators/operator-sessions.ts';
import type { Services } from '../transactions/services.ts';
import { CONTRACT_FACTS } from './pages.ts';
import { ConsolePages } from './routes.ts';

export interface OperatorsConsoleOptions {
  readonly services: Pick<Services, 'store' | 'clock' | 'methods'>;
  readonly rates: RateLimits;
}

/** Adds the console. */
export function addOperatorsConsole(
  app: Hono<HttpEnv>,
  { services: { store, clock, methods }, rates }: OperatorsConsoleOptions,
): void {
  const pages = new ConsolePages(
    {
      ...{ name: 'operators', home: '/management/console' },
      shell: () => ({
        title: 'Operators',
        facts: facts(methods),
        without: html`The management API does all that it does: see its reference at <a href="../docs/management">/docs/management</a>.`,
      }),
      form: () => ({
        title: "Log in to the operators' console",
        label: "Operator's key",
        placeholder: 'op_…',
        hint: html`<p class="quiet">Any role will do. The console only reads. Create a key on a machine with the database:</p>
<pre class="code">payments-gateway operator create NAME --role read</pre>`,
      }),
      invalidKey:
        'This key is not valid. Check that it begins with op_, is complete, and is not revoked. API keys of merchants are not accepted here.',
      async begin(key, c) {
        const valid = await authenticateOperator(store, key, clock.now());
        // The log says who has logged in.
        c.get('request').operatorId = valid?.operator.id;
        return valid && store.unit((db) => createOperatorSession(db, valid.keyId, clock.now()));
      },
      end: (session) => store.unit((db) => endOperatorSession(db, session)),
    },
    { rates, clock },
  );
  pages.mount(app, pages.app());
}

/** Facts of the contract and of the management API, which the script needs before its first request. */
function facts(methods: Services['methods']) {
  const { bundle, operations, roles } = readApiDocument('management');
  const { schemas } = bundle.components;
  const changes = operations.filter(({ method }) => method !== 'get');
  return {
    ...CONTRACT_FACTS,
    finalStatuses,
    methods: { payment: methodsOf(methods, 'payment'), payout: methodsOf(methods, 'payout') },
    declines: { payment: paymentDeclineReasons, payout: payoutDeclineReasons },
    eventStates: schemas['EventState']?.enum,
    proposalStates: schemas['ProposalState']?.enum,
    settlement: schemas['Settlement']?.required,
    changes: Object.fromEntries(
      changes.map(({ id, method, path, summary }) => [
        id,
        { method: method.toUpperCase(), path, summary, role: roles.get(id) },
      ]),
    ),
  };
}

function methodsOf(methods: Services['methods'], kind: 'payment' | 'payout'): string[] {
  return methods.filter((method) => method.kind === kind).map(({ name }) => name);
}
