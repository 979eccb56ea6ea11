/** Whether a response to a bad request is one that the contract has. */

import { readContract } from '../../../gateway/src/wire/contract.ts';
import { schemas } from '../../../generated/validators.js';
import type { Reply, Silence } from './wire.ts';

const { problems } = readContract();
const KINDS = new Set([...problems.values()].map(({ type, title, status }) => `${type} ${title} ${status}`));

/** Describes a mistake in the response; undefined when it is a refusal in the contract's form. */
export function complaintAbout(
  reply: Reply | Silence,
  { mayClose, hasBody }: { mayClose: boolean; hasBody: boolean },
): string | undefined {
  if (reply === 'closed') return mayClose ? undefined : 'its connection was closed without a response';
  if (reply === 'timeout') return 'it got no response in time';
  const { status, headers, body } = reply;
  if (status < 400 || status > 499) return `it returned ${status}: ${body}`;
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
