/**
 * Attributes code that hooks run, such as `beforeAll`, to each test of the file. Stryker counts it as module-level code
 * otherwise, and runs every test for its mutants.
 */
import { afterAll, beforeAll, beforeEach } from 'vitest';

type Counts = Record<string, number>;

interface Stryker {
  currentTestId?: string | undefined;
  mutantCoverage?: { readonly perTest: Record<string, Counts> };
}

const HOOKS = 'hooks';
const stryker: Stryker = (globalThis as { __stryker__?: Stryker }).__stryker__ ?? {};
const tests = new Set<string>();
let running = false;
let test: string | undefined;

Object.defineProperty(stryker, 'currentTestId', {
  configurable: true,
  get: () => test ?? (running ? HOOKS : undefined),
  set: (id: string | undefined) => {
    test = id;
  },
});

beforeAll(() => {
  running = true;
});

beforeEach(() => {
  if (test !== undefined) tests.add(test);
});

afterAll(() => {
  running = false;
  const { perTest = {} } = stryker.mutantCoverage ?? {};
  const { [HOOKS]: ofHooks = {} } = perTest;
  for (const id of tests) perTest[id] = { ...ofHooks, ...perTest[id] };
  delete perTest[HOOKS];
});
