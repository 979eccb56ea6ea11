/** Checks requests against the contract. */
import type { Operation } from '../../../contract/src/model.ts';
import {
  requestCheck as contractCheck,
  type RequestTables,
  type RoutedRequest,
} from '../../../contract/src/request-check.ts';
import { invalid } from './problems.ts';

/** Returns the parameters of a request that fits the contract. Throws the problem with all of its violations otherwise. */
export type ParameterReader = (request: RoutedRequest) => Readonly<Record<string, string>>;

/** Makes the check of an operation, of the contract unless another document's validators are given. */
export function parameterReader(operation: Operation, tables?: RequestTables): ParameterReader {
  const check = contractCheck(operation, tables);
  return (request) => {
    const { parameters, violations } = check(request);
    if (violations.length > 0) throw invalid(violations);
    return parameters;
  };
}
