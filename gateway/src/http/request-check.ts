/** Validates requests against the contract. */
import type { Operation } from '../../../contract/src/model.ts';
import {
  requestCheck as contractCheck,
  type RequestTables,
  type RoutedRequest,
} from '../../../contract/src/request-check.ts';
import { invalid } from './problems.ts';

/** Returns the parameters of a valid request. Otherwise throws the problem with all violations. */
export type ParameterReader = (request: RoutedRequest) => Readonly<Record<string, string>>;

/** Creates the check of an operation, with the contract's validators or those of another document. */
export function parameterReader(operation: Operation, tables?: RequestTables): ParameterReader {
  const check = contractCheck(operation, tables);
  return (request) => {
    const { parameters, violations } = check(request);
    if (violations.length > 0) throw invalid(violations);
    return parameters;
  };
}
