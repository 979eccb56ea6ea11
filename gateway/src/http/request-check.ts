/** Checks requests against the contract. */
import type { FastifyRequest } from 'fastify';
import type { Operation } from '../../../contract/src/model.ts';
import { requestCheck as contractCheck } from '../../../contract/src/request-check.ts';
import { invalid } from '../contract/problems.ts';

/** Returns the parameters of a request that fits the contract. Throws the problem with all of its violations otherwise. */
export type RequestCheck = (request: FastifyRequest) => Readonly<Record<string, string>>;

/** Makes the check of an operation. */
export function requestCheck(operation: Operation): RequestCheck {
  const check = contractCheck(operation);
  return (request) => {
    const { parameters, violations } = check(request);
    if (violations.length > 0) throw invalid(violations);
    return parameters;
  };
}
