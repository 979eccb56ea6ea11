/**
 * Prism as a function from a request to an answer. It validates requests, and chooses answers by the `Prefer`
 * header or `__example` and `__code` in the query.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { createInstance } from '@stoplight/prism-http';
import type { Bundle } from '../model.ts';

export interface PrismRequest {
  method: string;
  /** Path and query. */
  url: string;
  headers: IncomingHttpHeaders;
  body: unknown;
}

export interface Violation {
  location: string[];
  code: string | number | undefined;
  message: string;
}

export interface Answer {
  status: number;
  headers: Record<string, string | number>;
  body: unknown;
  violations: Violation[];
}

export type Prism = (request: PrismRequest) => Promise<Answer>;

type Logger = Parameters<typeof createInstance>[1]['logger'];
type Diagnostic = { severity: number; path?: (string | number)[]; code?: string | number; message: string };

type FailedWith = Error & { status?: number };
type Problem = { type: string; title: string; status: number; detail: string };

const PROBLEM = 'application/problem+json';
/** Severity of a diagnostic that makes a request or an answer invalid. */
const ERROR = 0;

/** Returns Prism for the document. */
export async function createPrism(bundle: Bundle): Promise<Prism> {
  // Imported late, because loading takes half a second that `--help` need not wait for.
  const { createInstance, getHttpOperationsFromSpec, ProblemJsonError } = await import('@stoplight/prism-http');
  const { getHttpConfigFromRequest } = await import('@stoplight/prism-http-server/dist/getHttpConfigFromRequest.js');
  const document = withoutDefaults(structuredClone(bundle));
  const operations = (await getHttpOperationsFromSpec(document)).map(({ callbacks: _, ...operation }) => operation);
  const mock = { dynamic: false };
  const checks = { checkSecurity: true, validateRequest: true, validateResponse: true, errors: true };
  const shared = { ...checks, isProxy: false as const, upstreamProxy: undefined, mock };
  const prism = createInstance(shared, { logger: silentLogger() });

  const failed = (error: Error): Answer => readFailure(ProblemJsonError.toProblemJson(error as FailedWith));

  return async (request) => {
    const input = readInput(request);
    const preferred = getHttpConfigFromRequest(input);
    if (preferred._tag === 'Left') return failed(preferred.left);
    const config = { ...shared, mock: { ...mock, ...defined(preferred.right) } };
    const result = await prism.request(input, operations, config)();
    if (result._tag === 'Left') return failed(result.left);
    const { output, validations } = result.right;
    const violations = [
      ...validations.input.map((diagnostic) => readViolation('request', diagnostic as Diagnostic)),
      ...validations.output
        .filter((diagnostic) => diagnostic.severity === ERROR)
        .map((diagnostic) => readViolation('response', diagnostic as Diagnostic)),
    ];
    return { status: output.statusCode, headers: output.headers ?? {}, body: output.body, violations };
  };
}

function readInput(request: PrismRequest) {
  const url = new URL(request.url, 'http://mock.invalid');
  // `Accept` would let Prism refuse: a problem has a media type that few callers name, and each answer has only one.
  const { accept: _, ...headers } = request.headers;
  return {
    method: request.method.toLowerCase() as 'get',
    url: { path: url.pathname, query: Object.fromEntries(url.searchParams) },
    headers: headers as Record<string, string>,
    body: request.body,
  };
}

function defined<T extends object>(preferences: T): T {
  return Object.fromEntries(Object.entries(preferences).filter(([, value]) => value !== undefined)) as T;
}

function readViolation(part: string, { path, code, message }: Diagnostic): Violation {
  return { location: [part, ...(path ?? []).map(String)], code, message };
}

/** Prism's own problem, unless it holds a stack, or hides behind status 500 that the caller asked for what is not there. */
function readFailure(body: Problem): Answer {
  const [title = ''] = body.title.split('\n');
  const asked = body.status === 500 && title.includes('NOT_FOUND');
  const detail = asked
    ? 'The operation has no answer with the code and the example of the Prefer header.'
    : body.detail;
  const status = asked ? 404 : body.status;
  return { status, headers: { 'content-type': PROBLEM }, body: { ...body, title, status, detail }, violations: [] };
}

/** Without the responses that stand for statuses outside of the contract: a mock has no use for them. */
function withoutDefaults(bundle: Bundle): Bundle {
  for (const operation of Object.values(bundle.paths).flatMap((item) => Object.values(item))) {
    delete operation.responses['default'];
  }
  return bundle;
}

/** Prism narrates every step; what matters of it stands in the answer. */
function silentLogger(): Logger {
  const quiet = () => undefined;
  const levels = ['trace', 'debug', 'info', 'success', 'warn', 'error', 'fatal'];
  const logger: Record<string, unknown> = Object.fromEntries(levels.map((level) => [level, quiet]));
  logger['child'] = () => logger;
  return logger as unknown as Logger;
}
