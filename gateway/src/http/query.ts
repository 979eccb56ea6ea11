/** The parameters after the question mark of an address. */

/** A parameter that is given several times has an array of values. */
export type Query = Readonly<Record<string, string | string[]>>;

const NONE: Query = Object.freeze(Object.create(null) as Query);

/** Parses the query of a target. What is not valid percent-encoding stays as it was sent. */
export function parseQuery(target: string): Query {
  const start = target.search(/[?#]/) + 1;
  if (start === 0 || start === target.length) return NONE;
  const query: Record<string, string | string[]> = Object.create(null);
  for (const pair of target.slice(start).split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decoded(equals === -1 ? pair : pair.slice(0, equals));
    const value = equals === -1 ? '' : decoded(pair.slice(equals + 1));
    const before = query[name];
    if (before === undefined) query[name] = value;
    else if (typeof before === 'string') query[name] = [before, value];
    else before.push(value);
  }
  return query;
}

function decoded(text: string): string {
  const spaced = text.replaceAll('+', ' ');
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}
