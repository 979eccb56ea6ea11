import { expect, it } from 'vitest';
import { readContract } from '../../../gateway/src/contract/contract.ts';
import { readSandboxDocument } from '../../../gateway/src/contract/sandbox-document.ts';
import { requireHandlers } from '../../../gateway/src/http/documented-routes.ts';

it.each([
  ['the contract', readContract()],
  ["the sandbox's document", readSandboxDocument()],
])('names operations of %s without a handler and handlers without an operation', (name, { operations }) => {
  const handlers = Object.fromEntries(operations.map(({ id }) => [id, () => undefined]));
  expect(() => requireHandlers(name, operations, handlers)).not.toThrow();
  const [first = '', ...others] = Object.keys(handlers);
  const wrong = { ...Object.fromEntries(others.map((id) => [id, handlers[id]])), toString: () => undefined };
  expect(() => requireHandlers(name, operations, wrong, ['more'])).toThrow(
    `the gateway and ${name} differ: the operation ${first} has no handler; the handler toString has no operation; more`,
  );
});
