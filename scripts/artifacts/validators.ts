/**
 * Precompiled validators for the contract's schemas, so that a start compiles none. Ajv generates the code, and esbuild
 * includes its helpers, so the file has no imports.
 */

import { _, type CodeKeywordDefinition, type KeywordCxt, type KeywordErrorDefinition } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import standaloneCode from 'ajv/dist/standalone/index.js';
import addFormats from 'ajv-formats';
import { build } from 'esbuild';
import {
  type Body,
  type Bundle,
  componentName,
  type Operation,
  openEnum,
  operations,
  type Schema,
  webhooks,
} from '../../contract/src/model.ts';
import { toPointer } from '../../contract/src/pointer.ts';

const CONTRACT = 'contract';

/** The extension with words for violations, by keyword. */
const WORDS = 'x-violations';

/** The tables by whose names validators are found. */
type Table = 'parameters' | 'requestBodies' | 'responseBodies' | 'webhookBodies' | 'schemas';

/** The validator tables for servers. */
export const REQUEST_TABLES: readonly Table[] = ['parameters', 'requestBodies'];

const ALL_TABLES: readonly Table[] = [...REQUEST_TABLES, 'responseBodies', 'webhookBodies', 'schemas'];

/** validators.js and validators.d.ts with these tables, both without their banners. */
export async function validatorsArtifact(
  bundle: Bundle,
  tables: readonly Table[] = ALL_TABLES,
): Promise<{ code: string; types: string }> {
  const chosen = rows(bundle).filter(([table]) => tables.includes(table));
  const document = forValidation(bundle);
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    discriminator: true,
    inlineRefs: false,
    code: { source: true, esm: true, lines: true },
  });
  addFormats.default(ajv);
  takeWords(ajv, document);
  ajv.addSchema({ ...document, $id: CONTRACT }, CONTRACT);
  const exported: Record<string, string> = {};
  const named = listNames(chosen);
  for (const name of Object.keys(document.components.schemas).filter((one) => named.has(one))) {
    exported[name] = `${CONTRACT}#${toPointer('components', 'schemas', name)}`;
  }
  for (const operation of described(bundle)) {
    const id = `${operation.id}Parameters`;
    ajv.addSchema({ $id: id, ...parametersSchema(operation) }, id);
    exported[id] = id;
  }
  const source = standaloneCode.default(ajv, exported);
  return { code: await inlined(`${source}\n${tableCode(chosen)}`), types: declarations(chosen) };
}

/** Errors of a keyword whose schema has words for them, under `x-violations`, carry these words. */
function takeWords(ajv: Ajv2020, document: Bundle): void {
  const keywords = new Set<string>();
  JSON.stringify(document, (key, value) => {
    if (key === WORDS) for (const keyword of Object.keys(value)) keywords.add(keyword);
    return value;
  });
  for (const keyword of keywords) {
    const definition = ajv.getKeyword(keyword) as CodeKeywordDefinition;
    const { message, params = _`{}` } = definition.error as KeywordErrorDefinition;
    const wordsOf = ({ parentSchema }: KeywordCxt) => parentSchema?.[WORDS]?.[keyword] as string | undefined;
    const error: KeywordErrorDefinition = {
      message,
      params: (context) => {
        const words = wordsOf(context as KeywordCxt);
        if (words !== undefined) return _`{words: ${words}}`;
        return typeof params === 'function' ? params(context) : params;
      },
    };
    ajv.removeKeyword(keyword).addKeyword({ ...definition, keyword, error });
  }
}

/** The schemas that the tables name. */
function listNames(chosen: Rows): Set<string> {
  const named = chosen
    .filter(([table]) => table !== 'parameters')
    .flatMap(([, , entries]) => entries)
    .flatMap(([, value]) => (typeof value === 'string' ? [value] : value.map(([, name]) => name)));
  return new Set(named);
}

function described(bundle: Bundle): Operation[] {
  return operations(bundle).filter((operation) => operation.parameters.length > 0);
}

/**
 * The document as it is best to validate with: without texts, open enumerations as the strings that they admit, and
 * discriminators without their mapping, by which Ajv names one variant's errors instead of all variants'.
 */
function forValidation(bundle: Bundle): Bundle {
  return JSON.parse(JSON.stringify(bundle), (key, value) => {
    if ((key.startsWith('x-') && key !== WORDS) || (key === 'description' && typeof value === 'string'))
      return undefined;
    if (key === 'discriminator' && value?.mapping) return { propertyName: value.propertyName };
    return openEnum(value ?? {})?.open ?? value;
  }) as Bundle;
}

/** Parameters of the path and the query as one object, by name. */
function parametersSchema(operation: Operation): Schema {
  const taken = operation.parameters.filter((parameter) => parameter.in !== 'header');
  return {
    type: 'object',
    required: taken.filter((parameter) => parameter.required).map((parameter) => parameter.name),
    properties: Object.fromEntries(
      taken.map(({ name, schema }) => [name, schema.$ref ? { $ref: `${CONTRACT}${schema.$ref}` } : schema]),
    ),
    additionalProperties: false,
  };
}

function schemaName(body: Body): string {
  return componentName(body.schema.$ref ?? '');
}

/** Rows of the tables: the export's name and, by operation, its value. */
type Rows = [table: Table, comment: string, entries: [string, string | [string, string][]][]][];

function rows(bundle: Bundle): Rows {
  const all = operations(bundle);
  return [
    [
      'parameters',
      'Path and query parameters as one object, by operation.',
      described(bundle).map(({ id }) => [id, `${id}Parameters`]),
    ],
    [
      'requestBodies',
      'Request bodies, by operation.',
      all.flatMap(({ id, request }) => (request ? [[id, schemaName(request)]] : [])),
    ],
    [
      'responseBodies',
      'Response bodies, by operation and status.',
      all.map(({ id, responses }) => [
        id,
        responses.flatMap(({ status, body }) => (body?.schema.$ref ? [[status, schemaName(body)]] : [])),
      ]),
    ],
    [
      'webhookBodies',
      'Webhook bodies, by webhook.',
      webhooks(bundle).flatMap(({ id, request }) => (request ? [[id, schemaName(request)]] : [])),
    ],
    [
      'schemas',
      'Every schema of the document, by name.',
      Object.keys(bundle.components.schemas).map((name) => [name, name]),
    ],
  ] as Rows;
}

function tableCode(chosen: Rows): string {
  const entry = ([key, value]: [string, string | [string, string][]]): string =>
    `${JSON.stringify(key)}: ${typeof value === 'string' ? value : `{ ${value.map(entry).join(', ')} }`}`;
  return chosen
    .map(([table, , entries]) => `export const ${table} = {\n${entries.map(entry).join(',\n')}\n};`)
    .join('\n');
}

function declarations(chosen: Rows): string {
  const type = (name: string) => (name.endsWith('Parameters') ? 'Record<string, string>' : `types.${name}`);
  const entry = ([key, value]: [string, string | [string, string][]]): string =>
    `readonly ${JSON.stringify(key)}: ${typeof value === 'string' ? `Validator<${type(value)}>` : `{ ${value.map(entry).join('; ')} }`}`;
  const consts = chosen.map(
    ([table, comment, entries]) =>
      `/** ${comment} */\nexport const ${table}: {\n${entries.map((row) => `  ${entry(row)};`).join('\n')}\n};`,
  );
  return `import type * as types from './types.ts';

/** A validation error, as Ajv reports it. */
export interface ValidationError {
  instancePath: string;
  schemaPath: string;
  keyword: string;
  params: Record<string, unknown>;
  message?: string;
}

/** Tells whether a value fits its schema; \`errors\` then holds what is wrong, until the next call. */
export interface Validator<T> {
  (value: unknown): value is T;
  errors?: ValidationError[] | null;
}

${consts.join('\n\n')}
`;
}

async function inlined(source: string): Promise<string> {
  const result = await build({
    stdin: { contents: source, resolveDir: import.meta.dirname, loader: 'js' },
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['main'],
    target: 'es2022',
    write: false,
    logLevel: 'silent',
    treeShaking: true,
  });
  return (result.outputFiles[0]?.text ?? '').replaceAll(/^\/\/ (node_modules|<stdin>|scripts).*\n/gm, '');
}
