/**
 * Checks of a service that has state of its own: the request examples are replayed with fresh order ids, and what
 * comes must conform to the contract and fit what was sent. What plain calls cannot bring about is not reached.
 */
import { type Operation, requestExamples } from '../../contract/src/model.ts';
import {
  type Check,
  type CheckInfo,
  conforms,
  echoes,
  judged,
  type Kind,
  notReached,
  type Outcome,
  type Problem,
  show,
} from './check.ts';
import { allAnswers, answerOf, type Contract, type Documented, member } from './contract.ts';
import { type Exchange, send } from './http.ts';
import { provocation } from './provocations.ts';
import { type MakeCall, refusalChecks } from './refusals.ts';
import { fieldsOf } from './requests.ts';
import type { Settings } from './settings.ts';
import { isAction, isCreation, openStories, type Stories, type Story, transactionOf } from './stories.ts';

const FAILED_CREATION = 'the creation that it needs was not answered with a transaction';

/** All checks of the operations, for a service that does not follow `Prefer`. */
export function replayChecks(contract: Contract, settings: Settings, operations: Operation[]): Check[] {
  const stories = openStories(contract, settings);
  return operations.flatMap((operation) => operationChecks({ contract, settings, stories, operation }));
}

interface Context {
  contract: Contract;
  settings: Settings;
  stories: Stories;
  operation: Operation;
}

function operationChecks(context: Context): Check[] {
  const { contract, settings, stories, operation } = context;
  const names = requestExamples(operation).map((request) => request.name);
  const answers = names.map((name) => answerOf(operation, name));
  const asked = new Set(answers.map(({ example }) => example.pointer));
  const others = allAnswers(operation).filter(({ example }) => !asked.has(example.pointer));
  const makeCall = validCall(context);
  return [
    ...answers.map((answer) => ({
      ...describe(operation, 'request', answer),
      run: () => replay(context, answer),
    })),
    ...(isCreation(operation) ? names.map((name) => repeatCheck(context, name)) : []),
    ...others.map((answer) =>
      provocation(contract, settings, stories, makeCall, answer, describe(operation, 'response', answer)),
    ),
    ...refusalChecks(contract, settings, operation, makeCall),
  ];
}

function describe(operation: Operation, kind: Kind, { response, example }: Documented): CheckInfo {
  const title = `${operation.id} ${response.status} ${example.name}`;
  return { operation: operation.id, kind, example: example.name, title, pointer: example.pointer };
}

/** The operation's first request example; the transaction that it is about has been created before. */
function validCall({ stories, operation }: Context): MakeCall {
  return async () => {
    const [request] = requestExamples(operation);
    if (!request) return { missing: 'the document has no request example' };
    const id = transactionOf(operation, request.name);
    if (id && !created(await stories.of(id))) return { missing: FAILED_CREATION };
    return { call: stories.call(operation, request) };
  };
}

async function replay(context: Context, documented: Documented): Promise<Outcome> {
  const { settings, stories, operation } = context;
  const name = documented.example.name;
  const request = requestExamples(operation).find((example) => example.name === name);
  if (!request) throw new Error(`${operation.id} has no request example ${name}`);
  const id = transactionOf(operation, name);
  const story = id === undefined ? undefined : await stories.of(id);
  if (id === undefined) return judge(context, documented, await send(settings, stories.call(operation, request)));
  if (!story) return notReached('no example creates the transaction');
  if (isCreation(operation)) return judge(context, documented, story.creation);
  if (!created(story)) return notReached(FAILED_CREATION);
  if (isAction(operation)) {
    const action = story.actions.get(`${operation.id} ${name}`) ?? { missing: 'the action belongs to no story' };
    return 'missing' in action ? notReached(action.missing) : judge(context, documented, action.exchange);
  }
  const now = await send(settings, stories.call(operation, request));
  return judgeReads(context, documented, story, now);
}

function judge(context: Context, documented: Documented, exchange: Exchange): Outcome {
  const sameStatus = statusIn(exchange) === member(documented.example.value, 'status');
  const seen = sameStatus && statusIn(exchange) !== undefined ? [documented.example.pointer] : [];
  return judged(problemsOf(context, documented, exchange, fieldsOf(exchange.call)), seen);
}

/** The example is reached if the transaction is, or has been seen, in the status that the example shows. */
function judgeReads(context: Context, documented: Documented, story: Story, now: Exchange): Outcome {
  const wanted = member(documented.example.value, 'status');
  const fields = { ...fieldsOf(story.creation.call), ...fieldsOf(now.call) };
  const earlier = story.reads.filter((exchange) => exchange.call.operation === context.operation);
  const fitting = [now, ...earlier].find((exchange) => statusIn(exchange) === wanted);
  const problems = [...new Set([now, fitting ?? now])].flatMap((exchange) =>
    problemsOf(context, documented, exchange, fields),
  );
  if (problems.length > 0 || fitting) return judged(problems, [documented.example.pointer]);
  return notReached(`the transaction is ${statusIn(now)}; the example shows ${wanted}`);
}

function problemsOf(
  { contract, operation }: Context,
  { response }: Documented,
  exchange: Exchange,
  fields: Parameters<typeof echoes>[0],
): Problem[] {
  const problems = conforms(contract, operation, response, exchange);
  return problems[0]?.at === 'status' ? problems : [...problems, ...echoes(fields, exchange.body)];
}

/** The same creation twice is one transaction. */
function repeatCheck(context: Context, name: string): Check {
  const { operation, stories } = context;
  const documented = answerOf(operation, name);
  const run = async (): Promise<Outcome> => {
    const story = await stories.of(transactionOf(operation, name) ?? '');
    if (!story || !created(story)) return notReached(FAILED_CREATION);
    const first = member(story.creation.body, 'transaction_id');
    const second = member(story.repeat.body, 'transaction_id');
    const problems = problemsOf(context, documented, story.repeat, fieldsOf(story.repeat.call));
    if (problems.length > 0 || first === second) return judged(problems, []);
    return judged(
      [{ at: 'body /transaction_id', expected: `${show(first)} as the first time`, found: show(second) }],
      [],
    );
  };
  return {
    ...describe(operation, 'repeat', documented),
    title: `${operation.id} the same again, ${name}`,
    run,
  };
}

function created(story: Story | undefined): boolean {
  return typeof member(story?.creation.body, 'transaction_id') === 'string';
}

function statusIn(exchange: Exchange) {
  return member(exchange.body, 'status');
}
