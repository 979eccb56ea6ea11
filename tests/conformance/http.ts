/** What both services of these tests share: a server around a function, and finding the operation of a request. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { allAnswers, type Contract, loadContract } from '../../conformance/src/contract.ts';
import type { Json, Operation } from '../../contract/src/model.ts';

export const contract: Contract = loadContract();

export interface Request {
  operation: Operation;
  path: Record<string, string>;
  query: URLSearchParams;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: Json;
}

export interface Service {
  url: string;
  close(): Promise<void>;
}

/** Serves on a free port of this machine. */
export async function serve(answer: (request: Request) => Answer): Promise<Service> {
  const server = createServer(async (request, reply) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const url = new URL(request.url ?? '/', 'http://service.invalid');
    const found = route(request.method ?? '', url.pathname);
    const { status, headers, body } = found
      ? answer({ ...found, query: url.searchParams, headers: request.headers, text })
      : { status: 404, headers: {}, body: null };
    reply.writeHead(status, headers).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The named example of an operation's response, with the headers that the response must carry. */
export function documentedAnswer(operation: Operation, status: string, name?: string): Answer {
  const found = allAnswers(operation).find(
    ({ response, example }) => response.status === status && (name === undefined || example.name === name),
  );
  if (!found) throw new Error(`${operation.id} has no ${status} ${name}`);
  const headers: Record<string, string> = { 'content-type': found.response.body?.mediaType ?? '' };
  if (found.response.headers.includes('WWW-Authenticate')) headers['www-authenticate'] = 'Bearer';
  if (found.response.headers.includes('Retry-After')) headers['retry-after'] = '2';
  return { status: Number(status), headers, body: found.example.value };
}

function route(method: string, pathname: string): Pick<Request, 'operation' | 'path'> | undefined {
  for (const operation of contract.operations) {
    const pattern = operation.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)');
    const match = new RegExp(`^${pattern}$`).exec(pathname);
    if (match && operation.method === method.toLowerCase()) return { operation, path: { ...match.groups } };
  }
  return undefined;
}
