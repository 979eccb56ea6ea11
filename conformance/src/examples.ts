/**
 * Checks of a service that answers with the example that `Prefer` names: every request example is sent,
 * every response example is asked for, and what comes must be the document's own value.
 */
import { type Operation, type RequestExample, requestExamples } from '../../contract/src/model.ts';
import { type Check, conforms, differences, echoes, judged, type Kind } from './check.ts';
import { allAnswers, answerOf, type Contract, type Documented } from './contract.ts';
import { type Call, send } from './http.ts';
import { refusalChecks } from './refusals.ts';
import { fieldsOf } from './requests.ts';
import type { Settings } from './settings.ts';

/** All checks of an operation, for a service that follows `Prefer`. */
export function exampleChecks(contract: Contract, settings: Settings, operation: Operation): Check[] {
  const requests = requestExamples(operation);
  const [first] = requests;
  if (!first) throw new Error(`${operation.pointer} has no request example`);
  const answers = requests.map((request) => ({ request, answer: answerOf(operation, request.name) }));
  const asked = new Set(answers.map(({ answer }) => answer.example.pointer));
  const others = allAnswers(operation).filter(({ example }) => !asked.has(example.pointer));
  const check = (kind: Kind, request: RequestExample, answer: Documented) =>
    exampleCheck(contract, settings, operation, kind, request, answer);
  return [
    ...answers.map(({ request, answer }) => check('request', request, answer)),
    ...others.map((answer) => check('response', first, answer)),
    ...refusalChecks(contract, settings, operation, async () => ({ call: callOf(operation, first) })),
  ];
}

function exampleCheck(
  contract: Contract,
  settings: Settings,
  operation: Operation,
  kind: Kind,
  request: RequestExample,
  { response, example }: Documented,
): Check {
  return {
    operation: operation.id,
    kind,
    example: example.name,
    title: `${operation.id} ${response.status} ${example.name}`,
    pointer: example.pointer,
    run: async () => {
      const call = callOf(operation, request);
      const exchange = await send(settings, { ...call, prefer: { code: response.status, example: example.name } });
      const problems = conforms(contract, operation, response, exchange);
      if (problems[0]?.at === 'status') return judged(problems, []);
      const echoed = kind === 'request' ? echoes(fieldsOf(call), exchange.body) : [];
      return judged([...problems, ...echoed, ...differences(example.value, exchange.body)], [example.pointer]);
    },
  };
}

function callOf(operation: Operation, { path, query, body }: RequestExample): Call {
  return { operation, path, query, ...(body !== undefined && { body }) };
}
