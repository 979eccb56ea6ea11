/** Commands that make changes, by operationId. The console only shows them. Words in capitals are placeholders. */
import { word } from '../shared/shell.js';

/**
 * @typedef {Record<string, string | number | undefined>} Values Members of what is changed, by their names in the API
 * @typedef {{ method: string, path: string }} At Method and path of the operation
 */

const WHY = "--reason 'REASON'";
const EVIDENCE = `--reference 'REFERENCE' ${WHY}`;

/** @param {(string | number | undefined)[]} words The last one is ready for the shell. */
function command(...words) {
  const last = words.pop();
  return ['payments-gateway', ...words.map((one) => word(String(one))), last].join(' ');
}

/**
 * A request to the management API, where the command would use the database. @param {At} at @param {Values} values
 * @param {Record<string, unknown>} body
 */
function request({ method, path }, values, body) {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(values[name])));
  const lines = [
    `curl -X ${method} "$GATEWAY_URL"${word(filled)}`,
    '-H "Authorization: Bearer $OPERATOR_KEY"',
    "-H 'Content-Type: application/json'",
    `-d ${word(JSON.stringify({ ...body, reason: 'REASON' }))}`,
  ];
  return lines.join(' \\\n  ');
}

/**
 * Replays all that a stopped URL has missed: also webhooks that waited when it was stopped, and so were created before.
 * @param {{ merchant_id: number, url: string }} stopped
 */
export function replayOfStopped({ merchant_id, url }) {
  return { since: new Date(0).toISOString(), state: 'stopped', merchant_id, url };
}

/** @type {Record<string, (values: Values, at: At) => string[]>} */
export const COMMANDS = {
  proposePaymentOutcome: ({ transaction_id: id, amount }) => [
    command('payment', 'resolve', id, '--succeeded', amount, EVIDENCE),
    command('payment', 'resolve', id, '--declined', 'DECLINE_REASON', EVIDENCE),
  ],
  proposePayoutOutcome: ({ transaction_id: id }) => [
    command('payout', 'resolve', id, '--succeeded', EVIDENCE),
    command('payout', 'resolve', id, '--declined', 'DECLINE_REASON', EVIDENCE),
  ],
  proposeExceptionResolution: ({ transaction_id: id, kind }) => [
    command(kind, 'resolve', id, '--book', EVIDENCE),
    command(kind, 'resolve', id, '--outside', EVIDENCE),
  ],
  proposeCorrection: ({ merchant_id: id }) => [
    command('correction', 'credit', id, 'AMOUNT', 'CURRENCY', EVIDENCE),
    command('correction', 'debit', id, 'AMOUNT', 'CURRENCY', EVIDENCE),
  ],
  proposeImport: ({ merchant_id: id }) => [
    command(
      'import',
      id,
      'TRANSACTION_ID',
      `--order ORDER --amount AMOUNT --currency CURRENCY --method METHOD --channel CHANNEL --customer CUSTOMER ${EVIDENCE}`,
    ),
  ],
  approveProposal: ({ proposal_id: id }) => [command('proposal', 'approve', id, WHY)],
  rejectProposal: ({ proposal_id: id }) => [command('proposal', 'reject', id, WHY)],
  pauseChannel: ({ channel }) => [command('channel', 'pause', channel, WHY)],
  resumeChannel: ({ channel }) => [command('channel', 'resume', channel, WHY)],
  pausePayouts: () => [command('payout', 'pause', WHY)],
  resumePayouts: () => [command('payout', 'resume', WHY)],
  resendEvent: (values, at) => [request(at, values, {})],
  replayEvents: (values, at) => [request(at, values, values)],
  stopUrl: (values, at) => [request(at, values, values)],
  resumeUrl: (values, at) => [request(at, values, values)],
  rotateSigningSecret: (values, at) => [request(at, values, { overlap: '1d' })],
  revokeSigningSecret: (values, at) => [request(at, values, {})],
};
