/** The commands of operators that use the management API: they need a key and no database, and each change is recorded. */
import {
  type CommandLine,
  parseArgument,
  parseName,
  parseNumber,
  parseTime,
  UserError,
} from '../../../../contract/src/cli.ts';
import { currencies } from '../../../../generated/currencies.ts';
import type { ProposedImport, TransactionSummary } from '../../../../generated/management/types.ts';
import { type Access, callManagement, readPages } from '../../api-client/client.ts';
import { timestamp } from '../../transactions/view.ts';
import { type AccessFlags, addOperatorAccess, callGateway, explainToOperator, readOperatorAccess } from './access.ts';
import {
  describeChannel,
  describeChannels,
  describeMethods,
  describeProposal,
  describeSummary,
  describeTransaction,
} from './operator-views.ts';

const AMOUNT = parseNumber({ max: Number.MAX_SAFE_INTEGER });
const FOUND_MAX = 200;
const STATES = ['open', 'approved', 'rejected'] as const;

interface Evidence {
  readonly reference?: string;
  readonly reason?: string;
}

interface ResolveFlags extends AccessFlags, Evidence {
  readonly declined?: string;
  readonly book?: boolean;
  readonly outside?: boolean;
}

interface FindFlags {
  readonly reference?: string;
  readonly amount?: number;
  readonly from?: number;
  readonly to?: number;
  readonly merchant?: number;
}

interface MethodFlags {
  readonly disable?: boolean;
  readonly min?: number;
  readonly max?: number;
  readonly perDay?: number;
  readonly perMonth?: number;
  readonly reason?: string;
}

interface Resolution {
  readonly resolution: 'booked' | 'outside';
}

type Outcome =
  | { readonly outcome: 'succeeded' }
  | { readonly outcome: 'declined'; readonly decline_reason: string }
  | Resolution;

/** Adds `payment`, `payout`, `correction`, `import`, `proposal`, `channel`, `method` and `customer`. */
export function addOperatorCommands(program: CommandLine, env: NodeJS.ProcessEnv): void {
  addTransactions(program, env);
  const correction = program.subcommand('correction', "Correct a merchant's wallet, with another operator's approval.");
  for (const direction of ['credit', 'debit'] as const) {
    const effect = direction === 'credit' ? 'add an amount to' : 'take an amount from';
    const usage = `${direction} <merchant-id> <amount> <currency>`;
    withEvidence(operator(correction, usage, `Propose to ${effect} what is available, in minor units.`)).handle(
      (flags: AccessFlags & Evidence, merchant = '', amount = '', currency = '') => {
        const body = {
          ...{ direction, amount: parseArgument('The amount', amount, AMOUNT) },
          ...{ currency: parseArgument('The currency', currency, parseName(currencies)), ...requireEvidence(flags) },
        };
        const path = { merchant_id: parseArgument('The merchant', merchant, AMOUNT) };
        return calling(flags, env, async (access) =>
          proposed(await callManagement(access, 'proposeCorrection', { path, body })),
        );
      },
    );
  }
  addImport(program, env);
  addProposals(program, env);
  addChannels(program, env);
  addMethods(program, env);
  addCustomers(program, env);
}

/** The commands about a payment, and the same about a payout. */
function addTransactions(program: CommandLine, env: NodeJS.ProcessEnv): void {
  const payment = program.subcommand('payment', 'Look up a payment, and propose its outcome.');
  const payout = program.subcommand('payout', 'Look up a payout, and propose its outcome.');
  for (const [group, read, list] of [
    [payment, 'getPayment', 'listPayments'],
    [payout, 'getPayout', 'listPayouts'],
  ] as const) {
    operator(group, 'find', `List the newest ones that match all options, at most ${FOUND_MAX}.`)
      .option('--reference <text>', 'A phone, an account, or a bank reference such as a UTR.')
      .option('--amount <amount>', 'The amount, or the collected amount, in minor units.', AMOUNT)
      .option('--from <time>', 'Created at or after this time, such as 2026-03-02.', parseTime)
      .option('--to <time>', 'Created before this time.', parseTime)
      .option('--merchant <merchant-id>', 'Of this merchant.', AMOUNT)
      .handle((flags: AccessFlags & FindFlags) => {
        const { reference, amount, from, to, merchant } = flags;
        const query = {
          limit: FOUND_MAX,
          ...(reference !== undefined && { reference }),
          ...(amount !== undefined && { amount }),
          ...(from !== undefined && { created_from: timestamp(from) }),
          ...(to !== undefined && { created_before: timestamp(to) }),
          ...(merchant !== undefined && { merchant_id: merchant }),
        };
        return calling(flags, env, async (access) => {
          const found: TransactionSummary[] = [];
          for await (const { data } of readPages((page) =>
            callManagement(access, list, { query: { ...query, ...page } }),
          )) {
            found.push(...data);
            if (found.length >= FOUND_MAX) break;
          }
          return found.slice(0, FOUND_MAX).map(describeSummary).join('\n') || 'none found';
        });
      });
    operator(group, 'show <id>', 'Show its statuses, ledger entries, webhooks with each attempt, and the next step.')
      .option('--json', 'Print it as JSON.')
      .handle(({ json = false, ...flags }: AccessFlags & { json?: boolean }, id = '') =>
        calling(flags, env, async (access) => {
          const found = await callManagement(access, read, { path: { transaction_id: id } });
          return json ? JSON.stringify(found, null, 2) : describeTransaction(found);
        }),
      );
  }
  for (const [name, operation, description] of [
    ['pause', 'pausePayouts', 'Hold new payouts of all channels until you resume them.'],
    ['resume', 'resumePayouts', 'Resume payouts of all channels.'],
  ] as const) {
    handleChange(operator(payout, name, description), env, async (access, _name, body) =>
      describeChannels(await callManagement(access, operation, { body })),
    );
  }
  const declined = 'The decline reason, such as BANK_REJECTED.';
  withResolutions(
    operator(payment, 'resolve <id>', 'Propose the outcome of a payment, or the resolution of its exceptions.'),
  )
    .option('--succeeded <amount>', 'The payment succeeded with this collected amount, in minor units.', AMOUNT)
    .option('--declined <reason>', `It was not paid. ${declined}`)
    .handle((flags: ResolveFlags & { succeeded?: number }, id = '') => {
      const outcome = requireOutcome(flags);
      if ('resolution' in outcome) return resolveException(flags, env, id, outcome);
      const body = { ...outcome, ...(flags.succeeded !== undefined && { amount_paid: flags.succeeded }) };
      const options = { path: { transaction_id: id }, body: { ...body, ...requireEvidence(flags) } };
      return calling(flags, env, async (access) =>
        proposed(await callManagement(access, 'proposePaymentOutcome', options)),
      );
    });
  withResolutions(
    operator(payout, 'resolve <id>', 'Propose the outcome of a payout, or the resolution of its exceptions.'),
  )
    .option('--succeeded', 'The payout succeeded.')
    .option('--declined <reason>', `The money has come back, or never left. ${declined}`)
    .handle((flags: ResolveFlags & { succeeded?: boolean }, id = '') => {
      const outcome = requireOutcome(flags);
      if ('resolution' in outcome) return resolveException(flags, env, id, outcome);
      const options = { path: { transaction_id: id }, body: { ...outcome, ...requireEvidence(flags) } };
      return calling(flags, env, async (access) =>
        proposed(await callManagement(access, 'proposePayoutOutcome', options)),
      );
    });
}

function addImport(program: CommandLine, env: NodeJS.ProcessEnv): void {
  const usage = 'import <merchant-id> <transaction-id>';
  const description = 'Propose to import a transaction that a channel carried out but the database lost.';
  withEvidence(operator(program, usage, description))
    .option('--order <id>', "The merchant's order.")
    .option('--amount <amount>', 'The collected or paid amount, in minor units.', AMOUNT)
    .option('--currency <currency>', 'The currency.', parseName(currencies))
    .option('--method <method>', 'The payment_method_type, such as IMPS_IN.')
    .option('--channel <channel>', 'The channel that carried it out.')
    .option('--customer <id>', 'The customer.')
    .handle((flags: AccessFlags & Evidence & ImportFlags, merchant = '', id = '') => {
      const path = { merchant_id: parseArgument('The merchant', merchant, AMOUNT) };
      const { order, amount, currency, method, channel, customer } = requireImportFlags(flags);
      const body = {
        ...{ transaction_id: id, merchant_order_id: order, customer_id: customer },
        ...{ amount, currency, payment_method_type: method, channel },
        ...requireEvidence(flags),
      };
      return calling(flags, env, async (access) =>
        proposed(await callManagement(access, 'proposeImport', { path, body })),
      );
    });
}

const IMPORT_FLAGS = ['order', 'amount', 'currency', 'method', 'channel', 'customer'] as const;
type ImportFlags = Partial<Pick<ProposedImport, 'amount' | 'currency' | 'channel'>> & {
  readonly [name in 'order' | 'method' | 'customer']?: string;
};

function requireImportFlags(flags: ImportFlags): Required<ImportFlags> {
  const missing = IMPORT_FLAGS.filter((name) => flags[name] === undefined).map((name) => `--${name}`);
  if (missing.length > 0) throw new UserError(`Missing options: ${missing.join(', ')}.`, 2);
  return flags as Required<ImportFlags>;
}

function addProposals(program: CommandLine, env: NodeJS.ProcessEnv): void {
  const proposal = program.subcommand('proposal', 'List, approve and reject proposed changes of money.');
  operator(proposal, 'list', 'List the newest proposals, at most 200.')
    .option(`--state <${STATES.join('|')}>`, 'Only proposals in this state.', parseName(STATES))
    .handle(({ state, ...flags }: AccessFlags & { state?: (typeof STATES)[number] }) =>
      calling(flags, env, async (access) => {
        const { data } = await callManagement(access, 'listProposals', {
          query: { limit: 200, ...(state && { state }) },
        });
        return data.map(describeProposal).join('\n') || 'no proposals';
      }),
    );
  for (const [name, operation, description] of [
    ['approve', 'approveProposal', "Approve another operator's proposal, and make the change."],
    ['reject', 'rejectProposal', 'Reject a proposal.'],
  ] as const) {
    handleChange(operator(proposal, `${name} <id>`, description), env, async (access, id, body) =>
      describeProposal(await callManagement(access, operation, { path: { proposal_id: id }, body })),
    );
  }
}

function addChannels(program: CommandLine, env: NodeJS.ProcessEnv): void {
  const channel = program.subcommand('channel', 'List, pause and resume channels.');
  operator(channel, 'list', 'List the channels with their methods, and who paused them and why.').handle(
    (flags: AccessFlags) =>
      calling(flags, env, async (access) => describeChannels(await callManagement(access, 'listChannels'))),
  );
  for (const [name, operation, description] of [
    ['pause', 'pauseChannel', 'Pause a channel: new payments are declined, and new payouts wait.'],
    ['resume', 'resumeChannel', 'Resume a paused channel.'],
  ] as const) {
    handleChange(operator(channel, `${name} <channel>`, description), env, async (access, named, body) =>
      describeChannel(await callManagement(access, operation, { path: { channel: named }, body })),
    );
  }
}

function addCustomers(program: CommandLine, env: NodeJS.ProcessEnv): void {
  const group = program.subcommand('customer', "Erase a customer's personal data.");
  operator(
    group,
    'erase <merchant-id> <customer-id>',
    'Delete the personal data of a customer from final transactions.',
  )
    .option('--reason <text>', 'Reason for the audit log.')
    .handle(({ reason, ...flags }: AccessFlags & { reason?: string }, merchant = '', customer = '') => {
      const path = { merchant_id: parseArgument('The merchant', merchant, AMOUNT) };
      const body = { customer_id: customer, ...(reason !== undefined && { reason }) };
      return calling(flags, env, async (access) => {
        let [erased, kept] = [0, 0];
        for await (const part of readPages((query) => callManagement(access, 'eraseCustomer', { path, query, body }))) {
          erased += part.erased;
          kept += part.kept;
        }
        const later = kept > 0 ? `; repeat it later for ${kept} that still need the data` : '';
        return `erased the personal data of ${erased} transactions${later}`;
      });
    });
}

function addMethods(program: CommandLine, env: NodeJS.ProcessEnv): void {
  const group = program.subcommand('method', 'List and set the methods of a merchant, and its limits.');
  operator(group, 'list <merchant-id>', 'List the methods with the limits of the merchant, in minor units.').handle(
    (flags: AccessFlags, merchant = '') => {
      const path = { merchant_id: parseArgument('The merchant', merchant, AMOUNT) };
      return calling(flags, env, async (access) =>
        describeMethods(await callManagement(access, 'listMerchantMethods', { path })),
      );
    },
  );
  const usage = 'set <merchant-id> <kind> <method>';
  const set = operator(
    group,
    usage,
    "Replace the merchant's settings of a method; without options, with the gateway's.",
  );
  set
    .option('--disable', 'Decline the method with METHOD_NOT_SUPPORTED.')
    .option('--min <amount>', 'The least of one transaction, in minor units.', AMOUNT)
    .option('--max <amount>', 'The most of one transaction.', AMOUNT)
    .option('--per-day <amount>', 'The most of one customer in a day.', AMOUNT)
    .option('--per-month <amount>', 'The most of one customer in a month.', AMOUNT)
    .option('--reason <text>', 'Reason for the audit log.')
    .handle((flags: AccessFlags & MethodFlags, merchant = '', kind = '', method = '') => {
      const path = {
        merchant_id: parseArgument('The merchant', merchant, AMOUNT),
        kind: parseArgument('The kind', kind, parseName(['payment', 'payout'] as const)),
        method,
      };
      const { disable = false, min, max, perDay, perMonth, reason } = flags;
      const body = {
        ...(disable && { enabled: false }),
        ...(min !== undefined && { min }),
        ...(max !== undefined && { max }),
        ...(perDay !== undefined && { per_day: perDay }),
        ...(perMonth !== undefined && { per_month: perMonth }),
        ...(reason !== undefined && { reason }),
      };
      return calling(flags, env, async (access) =>
        describeMethods(await callManagement(access, 'setMerchantMethod', { path, body })),
      );
    });
}

/** Makes a command change what its argument names, with the reason as the body of the request. */
function handleChange(
  command: CommandLine,
  env: NodeJS.ProcessEnv,
  change: (access: Access, name: string, body: { readonly reason?: string }) => Promise<string>,
): void {
  command
    .option('--reason <text>', 'Reason for the audit log.')
    .handle(({ reason, ...flags }: AccessFlags & { reason?: string }, name = '') =>
      calling(flags, env, (access) => change(access, name, reason === undefined ? {} : { reason })),
    );
}

function operator(parent: CommandLine, usage: string, description: string): CommandLine {
  return addOperatorAccess(parent.subcommand(usage, description));
}

function withEvidence(command: CommandLine): CommandLine {
  return command
    .option('--reference <text>', "Evidence for the approving operator, such as the line of a provider's statement.")
    .option('--reason <text>', 'Reason for the audit log.');
}

/** Adds the ways in which an exception is resolved. */
function withResolutions(command: CommandLine): CommandLine {
  return withEvidence(command)
    .option(
      '--book',
      "Resolve the exceptions by booking the channel's result in the merchant's wallet, as a credit or a debit.",
    )
    .option('--outside', 'Resolve the exceptions without a ledger entry, such as after a refund by the provider.');
}

function resolveException(flags: ResolveFlags, env: NodeJS.ProcessEnv, id: string, resolution: Resolution) {
  const options = { path: { transaction_id: id }, body: { ...resolution, ...requireEvidence(flags) } };
  return calling(flags, env, async (access) =>
    proposed(await callManagement(access, 'proposeExceptionResolution', options)),
  );
}

function calling(flags: AccessFlags, env: NodeJS.ProcessEnv, call: (access: Access) => Promise<string>) {
  const access = readOperatorAccess(flags, env);
  return callGateway(access, () => call(access), explainToOperator);
}

function proposed(proposal: Parameters<typeof describeProposal>[0]): string {
  return `${describeProposal(proposal)}\nAnother operator approves it: payments-gateway proposal approve ${proposal.id}`;
}

function requireEvidence({ reference, reason }: Evidence): Required<Evidence> {
  if (reference === undefined || reason === undefined) {
    const missing = reference === undefined ? '--reference' : '--reason';
    throw new UserError(`${missing} is missing. Pass --reference 'Statement 7, line 14' --reason 'Funded twice'.`, 2);
  }
  return { reference, reason };
}

function requireOutcome({
  succeeded,
  declined,
  book,
  outside,
}: ResolveFlags & { readonly succeeded?: unknown }): Outcome {
  if ([succeeded, declined, book, outside].filter((flag) => flag !== undefined).length !== 1)
    throw new UserError('Pass one of --succeeded, --declined, --book and --outside.', 2);
  if (declined !== undefined) return { outcome: 'declined', decline_reason: declined };
  return succeeded === undefined ? { resolution: book ? 'booked' : 'outside' } : { outcome: 'succeeded' };
}
