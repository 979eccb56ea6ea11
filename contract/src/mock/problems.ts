/** The mock's problems: the contract's examples with the detail of this request. */
import type { Violation } from '../../../generated/types.ts';
import { findResponse, type JsonObject, type Operation } from '../model.ts';
import { correction } from '../violations.ts';

/** Thrown where a request cannot be served. Without a detail, the response has the one of the contract's example. */
export class MockProblem extends Error {
  readonly status: number;
  readonly detail: string | undefined;
  readonly violations: readonly Violation[] | undefined;

  constructor(status: number, more: { detail?: string; violations?: readonly Violation[] } = {}) {
    super(more.detail ?? `refused with ${status}`);
    this.status = status;
    this.detail = more.detail;
    this.violations = more.violations;
  }
}

export function invalidRequest(violations: readonly Violation[], detail = correction(violations)): MockProblem {
  return new MockProblem(400, { detail, violations });
}

export type ProblemBodies = (refusal: MockProblem, operation?: Operation) => JsonObject;

/** Prefers the operation's own examples. For an undocumented status, uses an example from another operation. */
export function problemBodies(operations: readonly Operation[]): ProblemBodies {
  const all = operations.flatMap(({ responses }) => responses);
  return ({ status, detail, violations }, operation) => {
    const response = (operation && findResponse(operation, status)) ?? findResponse({ responses: all }, status);
    const example = response?.body?.examples[0]?.value as JsonObject | undefined;
    if (!example) throw new Error(`the contract has no problem with status ${status}`);
    const { violations: _, ...rest } = example;
    return {
      ...rest,
      ...(detail !== undefined && { detail }),
      ...(violations && { violations: violations.map((violation) => ({ ...violation })) }),
    };
  };
}
