/** The commands that call the management API, in groups. Some can use the database directly, without a gateway. */
import { UserError } from '../../../contract/src/cli.ts';
import { readPages } from '../api-client/client.ts';
import { type CallManagement, listAll } from './call-management.ts';
import { calls, callsSeveral, type ManagementCommand } from './document-commands.ts';
import {
  describeChannel,
  describeChannels,
  describeDifference,
  describeFailingTransactions,
  describeKey,
  describeMerchant,
  describeMethods,
  describeOperator,
  describeProposal,
  describeProposed,
  describeSecret,
  describeStoppedUrl,
  describeSummary,
  describeTransaction,
  type FailingTransactions,
  listed,
} from './views.ts';

/** Commands of two words, which share the first. */
export interface ManagementGroup {
  readonly name: string;
  readonly description: string;
  readonly commands: readonly ManagementCommand[];
}

const FOUND_MAX = 200;
const FAILING_MAX = 100;

/** Reads transactions whose next step fails or is missing, and those whose channel contradicts how they have ended. */
export async function readFailing(manage: CallManagement): Promise<FailingTransactions> {
  const query = { limit: FAILING_MAX };
  const { data: failing } = await manage('listFailingTransactions', { query });
  const { data: exceptional } = await manage('listExceptions', { query });
  return { failing, exceptional };
}

/** Throws a UserError if the ledger was never compared with the channel, such as when its name is misspelled. */
async function requireStatement(manage: CallManagement, channel: string): Promise<void> {
  const { data } = await manage('listStatements', { query: { channel, limit: 1 } });
  if (data.length > 0) return;
  throw new UserError(
    `No statement of a channel ${channel} was imported. List the channels: payments-gateway channel list`,
  );
}

const RESOLVE_EXCEPTIONS = calls({
  usage: 'resolve-exceptions <id>',
  operation: 'proposeExceptionResolution',
  view: describeProposed,
});

export const MANAGEMENT_GROUPS: readonly ManagementGroup[] = [
  {
    name: 'payment',
    description: 'Look up a payment, and propose its outcome.',
    commands: [
      calls({ usage: 'find', operation: 'listPayments', max: FOUND_MAX, view: listed(describeSummary, 'none found') }),
      calls({ usage: 'show <id>', operation: 'getPayment', view: describeTransaction }),
      calls({ usage: 'resolve <id>', operation: 'proposePaymentOutcome', view: describeProposed }),
      RESOLVE_EXCEPTIONS,
    ],
  },
  {
    name: 'payout',
    description: 'Look up a payout, propose its outcome, and pause payouts.',
    commands: [
      calls({ usage: 'find', operation: 'listPayouts', max: FOUND_MAX, view: listed(describeSummary, 'none found') }),
      calls({ usage: 'show <id>', operation: 'getPayout', view: describeTransaction }),
      calls({ usage: 'pause', operation: 'pausePayouts', view: describeChannels }),
      calls({ usage: 'resume', operation: 'resumePayouts', view: describeChannels }),
      calls({ usage: 'resolve <id>', operation: 'proposePayoutOutcome', view: describeProposed }),
      RESOLVE_EXCEPTIONS,
    ],
  },
  {
    name: 'correction',
    description: "Correct a merchant's wallet, with another operator's approval.",
    commands: (['credit', 'debit'] as const).map((direction) =>
      calls({
        usage: `${direction} <merchant-id> <amount> <currency>`,
        operation: 'proposeCorrection',
        fixed: { direction },
        view: describeProposed,
      }),
    ),
  },
  {
    name: 'proposal',
    description: 'List, approve and reject proposed changes of money.',
    commands: [
      calls({
        usage: 'list',
        operation: 'listProposals',
        max: FOUND_MAX,
        view: listed(describeProposal, 'no proposals'),
      }),
      calls({ usage: 'approve <id>', operation: 'approveProposal', view: describeProposal }),
      calls({ usage: 'reject <id>', operation: 'rejectProposal', view: describeProposal }),
    ],
  },
  {
    name: 'channel',
    description: 'List, pause and resume channels.',
    commands: [
      calls({ usage: 'list', operation: 'listChannels', view: describeChannels }),
      calls({ usage: 'pause <channel>', operation: 'pauseChannel', view: describeChannel }),
      calls({ usage: 'resume <channel>', operation: 'resumeChannel', view: describeChannel }),
    ],
  },
  {
    name: 'method',
    description: 'List and set the methods of a merchant, and its limits.',
    commands: [
      calls({ usage: 'list <merchant-id>', operation: 'listMerchantMethods', view: describeMethods }),
      calls({ usage: 'set <merchant-id> <kind> <method>', operation: 'setMerchantMethod', view: describeMethods }),
    ],
  },
  {
    name: 'customer',
    description: "Erase a customer's personal data.",
    commands: [
      callsSeveral({
        usage: 'erase <merchant-id> <customer-id>',
        operation: 'eraseCustomer',
        async run(manage, { path, body }) {
          let [erased, kept] = [0, 0];
          for await (const part of readPages((query) => manage('eraseCustomer', { path, query, body } as never))) {
            erased += part.erased;
            kept += part.kept;
          }
          return { erased, kept };
        },
        view({ erased, kept }) {
          const later = kept > 0 ? `; repeat it later for ${kept} that still need the data` : '';
          return `erased the personal data of ${erased} transactions${later}`;
        },
      }),
    ],
  },
  {
    name: 'merchant',
    description: 'Create, list, disable and enable merchants.',
    commands: [
      calls({
        usage: 'create <name> <currencies>',
        operation: 'createMerchant',
        view: ({ merchant, api_key, signing_secret }) =>
          [
            `merchant        ${merchant.id}  ${merchant.name}`,
            `API key         ${api_key.key}  (${api_key.id}, shown only now)`,
            `signing secret  ${signing_secret}`,
          ].join('\n'),
      }),
      callsSeveral({
        usage: 'list',
        operation: 'listMerchants',
        async run(manage) {
          const data = [];
          for (const merchant of await listAll((query) => manage('listMerchants', { query }))) {
            const { data: wallets } = await manage('listWallets', { path: { merchant_id: merchant.id } });
            data.push({ ...merchant, wallets });
          }
          return { data };
        },
        view: listed(describeMerchant, 'No merchants yet. Create one: payments-gateway merchant create NAME INR,EGP'),
      }),
      calls({
        usage: 'disable <merchant-id>',
        operation: 'disableMerchant',
        view: ({ id }) => `disabled merchant ${id}: its API keys get 401. Its transactions and webhooks continue.`,
      }),
      calls({
        usage: 'enable <merchant-id>',
        operation: 'enableMerchant',
        view: ({ id }) => `enabled merchant ${id}: its API keys are accepted again, except revoked ones`,
      }),
    ],
  },
  {
    name: 'key',
    description: 'Create, list and revoke API keys.',
    commands: [
      calls({
        usage: 'create <merchant-id>',
        operation: 'createApiKey',
        view: ({ id, key }) => `API key  ${key}  (${id}, shown only now)`,
      }),
      calls({ usage: 'list <merchant-id>', operation: 'listApiKeys', view: listed(describeKey, 'no keys') }),
      calls({
        usage: 'revoke <merchant-id> <key-id>',
        operation: 'revokeApiKey',
        view: (_, { path }) => `revoked ${path['key_id']}`,
      }),
    ],
  },
  {
    name: 'secret',
    description: 'Rotate, list, revoke and re-encrypt signing secrets.',
    commands: [
      calls({
        usage: 'rotate <merchant-id>',
        operation: 'rotateSigningSecret',
        view({ secret, previous_expires_at: end }) {
          return `signing secret  ${secret}${end === undefined ? '' : `\nThe one before it stays valid until ${end}.`}`;
        },
      }),
      calls({
        usage: 'list <merchant-id>',
        operation: 'listSigningSecrets',
        view: listed(describeSecret, 'the merchant has no signing secret'),
      }),
      calls({
        usage: 'revoke <merchant-id> <secret-id>',
        operation: 'revokeSigningSecret',
        view: (_, { path }) => `revoked ${path['secret_id']}`,
      }),
    ],
  },
  {
    name: 'operator',
    description: 'Create, list and revoke operators, who use the management API.',
    commands: [
      calls({
        usage: 'list',
        operation: 'listOperators',
        view: listed(describeOperator, 'No operators yet. Create one: payments-gateway operator create NAME'),
      }),
    ],
  },
  {
    name: 'webhook',
    description: 'Send webhooks again, and stop, list and resume callback URLs.',
    commands: [
      calls({
        usage: 'stopped',
        operation: 'listStoppedUrls',
        view: listed(describeStoppedUrl, 'no callback URL is stopped'),
      }),
      calls({
        usage: 'stop <merchant-id> <url>',
        operation: 'stopUrl',
        view: (_, { body }) =>
          `nothing is sent to ${body?.['url']} until: payments-gateway webhook resume ${body?.['merchant_id']} ${body?.['url']}`,
      }),
      calls({
        usage: 'resume <merchant-id> <url>',
        operation: 'resumeUrl',
        view: (_, { body }) => `events are sent to ${body?.['url']} again, from the next one on`,
      }),
      calls({
        usage: 'resend <event-id>',
        operation: 'resendEvent',
        view: ({ id, url }) => `${id} is sent to ${url} again`,
      }),
      calls({
        usage: 'replay',
        operation: 'replayEvents',
        view: ({ events, waiting }) =>
          `webhooks sent again: ${events}, of which ${waiting} were waiting for their next attempt`,
      }),
    ],
  },
  {
    name: 'reconcile',
    description: 'Compare the ledger with statements of channels, and list and accept the differences.',
    commands: [
      callsSeveral({
        usage: 'list',
        operation: 'listDifferences',
        defaults: { state: 'open' },
        async run(manage, { query }) {
          const data = await listAll((page) => manage('listDifferences', { query: { ...query, ...page } }));
          if (data.length === 0 && query['channel'] !== undefined) await requireStatement(manage, query['channel']);
          return { data };
        },
        view: listed(describeDifference, 'no differences'),
      }),
      calls({ usage: 'accept <difference-id>', operation: 'acceptDifference', view: describeDifference }),
    ],
  },
];

/** Commands of one word. */
export const MANAGEMENT_COMMANDS: readonly ManagementCommand[] = [
  calls({ usage: 'import <merchant-id> <transaction-id>', operation: 'proposeImport', view: describeProposed }),
  callsSeveral({
    usage: 'failing',
    operation: 'listFailingTransactions',
    run: readFailing,
    view: describeFailingTransactions,
  }),
];
