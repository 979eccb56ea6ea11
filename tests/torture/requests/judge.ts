/** Whether the contract documents a response to a bad request. */

import { readContract } from '../../../gateway/src/http/contract.ts';
import { schemas } from '../../../generated/validators.js';
import type { Reply, Silence } from './wire.ts';

const { problems } = readContract();
/**
 * The problem for another host, whose type is its status (RFC 9457, 4.2.1): bytes of the header may have been changed.
 */
const MISDIRECTED = { type: 'about:blank', title: 'Misdirected Request', status: 421 };
const KINDS = new Set(
  [...problems.values(), MISDIRECTED].map(({ type, title, status }) => `${type} ${title} ${status}`),
);

/** Describes the mistake in the response. Undefined for a refusal in the contract's form. */
export function complaintAbout(
  reply: Reply | Silence,
  { mayClose, hasBody, wanted }: { mayClose: boolean; hasBody: boolean; wanted: number | undefined },
): string | undefined {
  if (reply === 'closed') return mayClose ? undefined : 'its connection was closed without a response';
  if (reply === 'timeout') return 'it got no response in time';
  const { status, headers, body } = reply;
  if (status < 400 || status > 499 || status !== (wanted ?? status)) return `it returned ${status}: ${body}`;
  if (!hasBody) return undefined;
  const type = headers.get('content-type') ?? 'nothing';
  if (!type.startsWith('application/problem+json')) return `its ${status} is ${type}: ${body}`;
  return complaintAboutProblem(status, body);
}

function complaintAboutProblem(status: number, body: string): string | undefined {
  const problem: unknown = parsed(body);
  if (!schemas.Problem(problem)) return `its ${status} does not fit the contract's Problem: ${body}`;
  if (problem.status !== status) return `its ${status} says ${problem.status}: ${body}`;
  if (!KINDS.has(`${problem.type} ${problem.title} ${problem.status}`)) return `its problem is unknown: ${body}`;
  return undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
