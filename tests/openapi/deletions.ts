/**
 * Everything that can be deleted from the contract: each member of each object and each item of each list, named by
 * kind. What is demanded of the table of facts is data (`KINDS`): to notice every deletion of a demanded kind.
 *
 * Not demanded, because no fact changes with it:
 * - prose: summaries, descriptions, titles, the words for violations and the text of an entry's reasons. Where prose is
 *   the only place of a fact (minor units, decline texts, meanings of states) the table has rows for them anyway, and
 *   notices it;
 * - annotations: x-source, x-assumption, x-specified and an entry's fields point from a statement to its basis; lint
 *   rules check them;
 * - examples: the schema says what must be in one, and the check of the examples that it is; lint rules demand named
 *   ones, in pairs;
 * - names: operationIds, which routes, types and the client read, so that none starts or compiles without, and links
 *   between operations, variants of a discriminator and addresses of people, which repeat what is said elsewhere;
 * - samples: programs that are made from the examples;
 * - grouping: tags and license order and label the reference.
 */
import type { Json } from '../../contract/src/model.ts';
import { pointerOf } from '../../contract/src/pointer.ts';

interface Kind {
  kind: string;
  at: RegExp;
  demanded: boolean;
}

/** A member or an item that can be deleted. */
export interface Target {
  pointer: string;
  kind: Kind;
  container: Json[] | { [key: string]: Json };
  key: string;
  value: Json;
}

const SCHEMA_KEYWORDS = [
  'type',
  'format',
  'pattern',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'additionalProperties',
  'items',
];

/** The first kind that fits a pointer is its kind; whatever fits none before the last is demanded too. */
export const KINDS: Kind[] = [
  free('example', /\/examples(\/|$)/),
  free(
    'name',
    /^\/(openapi|externalDocs|x-tagGroups|info\/contact)(\/|$)|\/(operationId|links(\/.+)?|mapping(\/.+)?)$/,
  ),
  must('property', /\/properties\/[^/]+$/),
  must('decline row', /\/x-decline-reasons\/[^/]+$/),
  must('decline text', /\/x-decline-reasons\/[^/]+\/[^/]+$/),
  free('annotation', /\/(x-source|x-assumption|x-specified)(\/\d+)?$/),
  free('annotation', /^\/x-assumptions\/\d+\/(section|narrows|why|also_done_by)(\/|$)/),
  free('sample', /\/x-codeSamples(\/|$)/),
  free('grouping', /^\/tags(\/|$)|\/tags(\/\d+)?$|^\/info\/license(\/|$)/),
  free('prose', /\/(summary|description|title|when|x-enumDescriptions(\/.+)?|x-violations(\/.+)?)$/),
  must('enum value', /\/enum\/\d+$/),
  must('const', /\/const$/),
  must('required entry', /\/required\/\d+$/),
  must('variant', /\/(oneOf|anyOf)\/\d+$/),
  must('webhook', /^\/webhooks\/[^/]+$/),
  must('callback', /\/callbacks\/[^/]+$/),
  must('operation', /^\/paths\/[^/]+\/[a-z]+$/),
  must('component', /^\/components\/[^/]+\/[^/]+$/),
  must('response', /\/responses\/[^/]+$/),
  must('parameter', /\/parameters\/[^/]+$/),
  must('header', /\/headers\/[^/]+$/),
  must('security', /\/security(\/\d+)?(\/[^/]+)?$/),
  must('state', /^\/x-state-machines\/[^/]+\/states\/[^/]+$/),
  must('transition', /^\/x-state-machines\/[^/]+\/transitions\/\d+$/),
  must('assumption', /^\/x-assumptions\/\d+(\/[^/]+)?$/),
  must('reference', /\/\$ref$/),
  must('schema keyword', new RegExp(`/(${SCHEMA_KEYWORDS.join('|')})$`)),
  must('other', /./),
];

function must(kind: string, at: RegExp): Kind {
  return { kind, at, demanded: true };
}

function free(kind: string, at: RegExp): Kind {
  return { kind, at, demanded: false };
}

/** All targets of a document, which must be a copy of one's own: deletions happen in it. */
export function targets(root: Json, at = ''): Target[] {
  if (typeof root !== 'object' || root === null) return [];
  return Object.entries(root).flatMap(([key, value]) => {
    const pointer = at + pointerOf(key);
    const kind = KINDS.find((candidate) => candidate.at.test(pointer));
    if (!kind) throw new Error(`no kind fits ${pointer}`);
    return [{ pointer, kind, container: root, key, value }, ...targets(value, pointer)];
  });
}

/** Deletes a target, and returns what puts it back. To undo several, go backwards. */
export function deleteTarget({ container, key, value }: Target): () => void {
  if (Array.isArray(container)) {
    // By identity and not by index: another deletion may have moved it.
    const index = container.indexOf(value);
    if (index < 0) return () => {};
    container.splice(index, 1);
    return () => container.splice(index, 0, value);
  }
  const index = Object.keys(container).indexOf(key);
  if (index < 0) return () => {};
  delete container[key];
  return () => {
    // In its old place: a fact that gathers members by `*` sees them in their order.
    const later = Object.entries(container).slice(index);
    for (const [name] of later) delete container[name];
    Object.assign(container, { [key]: value }, Object.fromEntries(later));
  };
}
