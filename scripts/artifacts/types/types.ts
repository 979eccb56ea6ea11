/**
 * The contract's TypeScript types, by openapi-typescript, with additions: schemas are interfaces of their names, open
 * enumerations keep the completion of their known values, and webhook payloads are listed by event.
 */
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import ts from 'typescript';
import {
  type Bundle,
  componentName,
  openEnum,
  operations,
  type Schema,
  webhooks,
} from '../../../contract/src/model.ts';
import { typeName, webhookKinds } from '../statuses.ts';
import { ABSENT, forTypes } from './documents.ts';
import { byName, withNamedTypes } from './interfaces.ts';
import { operationTypes } from './operations.ts';

/** generated/types.ts without its banner. */
export async function typesArtifact(bundle: Bundle): Promise<string> {
  const { document, ...typed } = forTypes(bundle);
  const nodes = await openapiTS(document as unknown as OpenAPI3, {
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    defaultNonNullable: false,
    alphabetize: false,
    transform: (schema) => completable(schema as Schema) ?? absent(schema),
  });
  const rewritten = withNamedTypes(nodes, { ...typed, requests: requestSchemas(bundle) });
  const types = byName(astToString(rewritten)).replaceAll(' (enum property replaced by openapi-typescript)', '');
  return `${types}\n${ownTypes(bundle)}`;
}

/** The types that no generator prints: operations and webhooks, in terms of the schemas. */
export function ownTypes(bundle: Bundle): string {
  return `${operationTypes(bundle)}${webhookTypes(bundle)}`;
}

function absent(schema: object): ts.TypeNode | undefined {
  return ABSENT in schema ? ts.factory.createKeywordTypeNode(ts.SyntaxKind.UndefinedKeyword) : undefined;
}

/** As `'A' | string` an open enumeration would collapse to `string`; `'A' | (string & {})` keeps the known values. */
export function completable(schema: Schema): ts.TypeNode | undefined {
  const found = openEnum(schema);
  if (!found) return undefined;
  const literals = found.known.map((value) =>
    ts.factory.createLiteralTypeNode(ts.factory.createStringLiteral(String(value))),
  );
  const anyString = ts.factory.createIntersectionTypeNode([
    ts.factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword),
    ts.factory.createTypeLiteralNode([]),
  ]);
  return ts.factory.createUnionTypeNode([...literals, ts.factory.createParenthesizedType(anyString)]);
}

/** Names of the schemas that bodies of requests consist of. */
function requestSchemas(bundle: Bundle): Set<string> {
  const found = new Set<string>();
  const collect = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const [key, value] of Object.entries(node)) {
      if (key !== '$ref') {
        collect(value);
        continue;
      }
      const name = componentName(String(value));
      if (found.has(name)) continue;
      found.add(name);
      collect(bundle.components.schemas[name]);
    }
  };
  for (const { request } of operations(bundle)) collect(request?.schema);
  return found;
}

function webhookTypes(bundle: Bundle): string {
  const events = webhooks(bundle).map((webhook) => {
    const body = componentName(webhook.request?.schema.$ref ?? '');
    return `    /** ${webhook.summary}. */\n    ${webhook.id}: ${body};`;
  });
  const payloads = Object.entries(webhookKinds(bundle)).map(([kind, names]) => {
    const list = names.map((name) => `WebhookPayloads['${name}']`).join(' | ');
    return `/** Payload of any webhook about a ${kind}. */\nexport type ${typeName(kind)}WebhookPayload = ${list};`;
  });
  return [
    '/** Payload of each webhook, by the name of the event. */',
    `export interface WebhookPayloads {\n${events.join('\n')}\n}`,
    '/** Name of a webhook. */',
    'export type WebhookName = keyof WebhookPayloads;',
    ...payloads,
    '/** Payload of any webhook. A payment names its method (`payment_method` or `payment_method_type`), a payout does not. */',
    'export type WebhookPayload = WebhookPayloads[WebhookName];',
    '',
  ].join('\n');
}
