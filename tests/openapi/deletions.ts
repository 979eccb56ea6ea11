/**
 * Everything that can be deleted from the contract: each member of each object and each item of each list, named by
 * kind. The table of facts has to notice every deletion of a demanded kind (`KINDS`) whose basis is the source.
 *
 * Not demanded are choices, and promises of this kit's gateway: the registry of assumptions states them, the lint holds
 * their uses to its entries, the comparison with the released contract lists what of them is gone, and the gateway and the
 * conformance kit are tested by them. A table would only say again what the document says.
 * Not demanded either, because no fact changes with it:
 * - prose: summaries, descriptions, titles and the words for violations. Where prose is the only place of a fact (minor
 *   units, decline texts, meanings of states) the table has rows for them anyway, and notices it;
 * - annotations: x-source, x-assumption and x-specified point from a statement to its basis; lint rules check them;
 * - examples: the schema says what must be in one, and the check of the examples that it is; lint rules demand named
 *   ones, in pairs;
 * - names: operationIds, which routes, types and the client read, so that none starts or compiles without, and links
 *   between operations, variants of a discriminator and addresses of people, which repeat what is said elsewhere;
 * - form: OpenAPI itself demands it, and the lint checks it;
 * - samples: programs that are made from the examples;
 * - grouping: tags and license order and label the reference.
 */
import type { Json } from '../../contract/src/model.ts';
import { pointerOf } from '../../contract/src/pointer.ts';
import { type Found, follow } from './pointers.ts';

interface Kind {
  kind: string;
  at: RegExp;
  demanded: boolean;
}

/** A member or an item that can be deleted. */
export interface Target {
  pointer: string;
  kind: Kind;
  /** Whether the source says it; if not, it is a choice, or a promise of this kit's gateway only. */
  specified: boolean;
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
  free(
    'choice',
    /^\/x-assumptions(\/|$)|\/(x-sender|x-minor-units|x-exactly-one-of|x-decline-handling)(\/|$)|^\/info\/version$|\/final$/,
  ),
  free(
    'choice',
    /^\/components\/schemas\/(ValidationProblem$|(Validation)?Problem\/)|^\/webhooks\/[^/]+\/post\/security$/,
  ),
  free('form', /\/parameters\/\d+\/required$/),
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

/** Keywords that refuse values. They may be a choice where the rest of their schema is specified. */
const REFUSING = /^(required|enum|pattern|format|additionalProperties|uniqueItems|minimum|maximum|(min|max)[A-Z]\w+)$/;

/** A node's marks, which hold for everything inside that has none of its own. */
type Marks = { readonly [key: string]: Json };

/** All targets of a document, which must be a copy of one's own: deletions happen in it. */
export function targets(root: Json): Target[] {
  return targetsIn(root, root, '', {});
}

function targetsIn(root: Json, node: Json, at: string, marks: Marks): Target[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) => {
    const pointer = at + pointerOf(key);
    const kind = KINDS.find((candidate) => candidate.at.test(pointer));
    if (!kind) throw new Error(`no kind fits ${pointer}`);
    const own = isChosen(pointer, key, marks) ? {} : (marksOf(root, value, marks) ?? marks);
    const inside = targetsIn(root, value, pointer, own);
    // A container without marks is as specified as what it contains.
    const members = inside.filter(({ container }) => container === value);
    const specified = members.length > 0 ? members.some((target) => target.specified) : own['x-source'] !== undefined;
    return [{ pointer, kind, specified, container: node, key, value }, ...inside];
  });
}

/** Whether a keyword refuses values by choice. The known values of an open enumeration refuse nothing. */
function isChosen(pointer: string, key: string, marks: Marks): boolean {
  if (!REFUSING.test(key) || /\/anyOf\/\d+\/enum$/.test(pointer)) return false;
  return marks['x-assumption'] !== undefined && ![marks['x-specified'] ?? []].flat().includes(key);
}

/** Marks of a node or of what it refers to. Inside a choice, references to what is specified are part of the choice. */
function marksOf(root: Json, node: Json, outer: Marks): Marks | undefined {
  const isInChoice = outer['x-source'] === undefined && outer['x-assumption'] !== undefined;
  return [node, ...(isInChoice ? [] : [follow(root, node)])].find(isMarked);
}

function isMarked(node: Found): node is { [key: string]: Json } {
  return typeof node === 'object' && node !== null && ('x-source' in node || 'x-assumption' in node);
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
