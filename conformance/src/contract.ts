/** The contract as the checks need it: operations, compiled schemas, and what responses must carry. */
import {
  atPointer,
  type Bundle,
  type Example,
  type Json,
  type Operation,
  operations,
  type RawOperation,
  type Response,
  readBundle,
  resolve,
  type Schema,
  successes,
} from '../../contract/src/model.ts';
import { compile, type Validate } from '../../contract/src/schemas.ts';

export interface Contract {
  bundle: Bundle;
  operations: Operation[];
  validator(schema: Schema | string): Validate;
}

export interface HeaderRule {
  name: string;
  required: boolean;
  schema: Schema;
}

/** A documented answer: the response, and the named example of it. */
export interface Documented {
  response: Response;
  example: Example;
}

/** Reads the bundle and prepares its schemas. */
export function loadContract(bundle: Bundle = readBundle()): Contract {
  return { bundle, operations: operations(bundle), validator: compile(bundle) };
}

/** The successful answer that the document gives to the request of this name. */
export function answerOf(operation: Operation, name: string): Documented {
  const found = allAnswers(operation).find(
    ({ response, example }) => example.name === name && successes(operation).includes(response),
  );
  if (!found) throw new Error(`${operation.pointer} has no successful answer named ${name}`);
  return found;
}

/** Every named example of every response. */
export function allAnswers(operation: Operation): Documented[] {
  return operation.responses.flatMap((response) =>
    (response.body?.examples ?? []).map((example) => ({ response, example })),
  );
}

/** The documented response with this status. */
export function responseOf(operation: Operation, status: number): Response | undefined {
  return operation.responses.find((response) => response.status === String(status));
}

/** The documented headers of a response. */
export function headersOf(contract: Contract, operation: Operation, response: Response): HeaderRule[] {
  const raw = atPointer(contract.bundle, operation.pointer) as RawOperation;
  const node = raw.responses[response.status];
  const headers = node ? (resolve(contract.bundle, node).headers ?? {}) : {};
  return Object.entries(headers).map(([name, header]) => {
    const { required = false, schema } = resolve(contract.bundle, header);
    return { name, required, schema };
  });
}

/** The member of a JSON value, if it is an object that has it. */
export function member(value: Json | undefined, name: string): Json | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value[name] : undefined;
}
