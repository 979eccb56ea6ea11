/** Statements of a problem (RFC 9457) about its own response. */
import { openEnum, type Response } from '../../../contract/src/model.ts';
import { assumption } from '../document/basis.ts';
import type { Contract } from '../document/contract.ts';
import { type Exchange, readMember } from '../service/exchange.ts';
import { type Finding, formatValue } from './finding.ts';

/** Judges a problem's own statements: its status, type, request id and violations have to match the response. */
export function judgeProblem(contract: Contract, response: Response, exchange: Exchange): Finding[] {
  const { body, headers, status } = exchange;
  const [own, type, requestId] = ['status', 'type', 'request_id'].map((name) => readMember(body, name));
  const clause = assumption(contract.bundle, 'errors');
  const types = (response.body?.examples ?? []).map(({ value }) => readMember(value, 'type'));
  const header = headers.get('x-request-id');
  const findings: Finding[] = [];
  if (typeof own === 'number' && own !== status) {
    findings.push({ at: 'body /status', expected: String(status), found: formatValue(own), clause, exchange });
  }
  if (type !== undefined && knownTypes(contract).includes(type) && !types.includes(type)) {
    const expected = `${[...new Set(types)].join(' or ')}, or a type of your own`;
    findings.push({ at: 'body /type', expected, found: formatValue(type), clause, exchange });
  }
  // A proxy can add a second one.
  if (typeof requestId === 'string' && header !== null && !splitHeader(header).includes(requestId)) {
    const expected = `${formatValue(header)}, as the header X-Request-Id says`;
    const own = assumption(contract.bundle, 'request-id');
    findings.push({ at: 'body /request_id', expected, found: formatValue(requestId), clause: own, exchange });
  }
  return [...findings, ...judgePlaces(contract, exchange)];
}

/** A header as a whole, and the values that it lists. */
export function splitHeader(header: string): string[] {
  return [header, ...header.split(/,\s*/)];
}

function knownTypes({ bundle }: Contract): readonly unknown[] {
  const { properties = {} } = bundle.components.schemas['Problem'] ?? {};
  return (properties['type'] && openEnum(properties['type'])?.known) ?? [];
}

/** The place of a violation has to be part of the request or of the operation's parameters. */
function judgePlaces({ bundle }: Contract, exchange: Exchange): Finding[] {
  const violations = readMember(exchange.body, 'violations');
  const places = listPlaces(exchange);
  const clause = assumption(bundle, 'errors');
  return (Array.isArray(violations) ? violations : []).flatMap((violation, index): Finding[] => {
    const place = readMember(violation, 'in');
    if (typeof place !== 'string' || places.includes(place)) return [];
    const at = `body /violations/${index}/in`;
    return [{ at, expected: places.join(' or '), found: formatValue(place), clause, exchange }];
  });
}

function listPlaces({ call: { operation, query, search }, requestText }: Exchange): string[] {
  const takes = (place: string) => operation.parameters.some((parameter) => parameter.in === place);
  return [
    ...(operation.request || requestText !== undefined ? ['body'] : []),
    ...(takes('query') || query || search ? ['query'] : []),
    ...(takes('path') ? ['path'] : []),
    'header',
  ];
}
