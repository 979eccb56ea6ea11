/**
 * Rewrites the output of openapi-typescript: each schema becomes a named interface or type, so that compiler errors say
 * `Payment` instead of listing its members.
 */
import ts from 'typescript';
import type { Operation } from '../../../contract/src/model.ts';
import type { TypedDocument } from './documents.ts';

const { factory } = ts;

type Members = readonly ts.TypeElement[];

export interface Rewriting extends Pick<TypedDocument, 'added' | 'bases'> {
  /** Names of schemas used in requests. */
  requests: ReadonlySet<string>;
  operations: readonly Operation[];
}

/** The statements with named types instead of `components["schemas"]`. Aliases that openapi-typescript adds are dropped. */
export function withNamedTypes(nodes: readonly ts.Node[], rewriting: Rewriting): ts.Node[] {
  const schemas = findMembers(collectMembers(nodes, 'components'), 'schemas');
  const literals = new Map(schemas.map((member) => [readName(member), literalMembers(readType(member))]));
  const named = schemas.map((member) => namedType(member, literals, rewriting));
  const declared = nodes.filter((node) => !ts.isTypeAliasDeclaration(node));
  return [...declared.map((node) => rewriteInterface(node, rewriting)), ...named];
}

/** The printed statements with references by name. */
export function byName(text: string): string {
  return text.replaceAll(/components\["schemas"\]\["(\w+)"\]/g, '$1');
}

function rewriteInterface(node: ts.Node, { added, operations }: Rewriting): ts.Node {
  if (!ts.isInterfaceDeclaration(node)) return node;
  if (node.name.text === 'components') {
    return withMembers(
      node,
      replaceMember(node.members, 'schemas', (schemas) => namesOnly(schemas, added)),
    );
  }
  if (node.name.text !== 'operations') return node;
  return operations.reduce((result, { id, exactlyOneOf }) => {
    if (exactlyOneOf.length === 0) return result;
    return withMembers(
      result,
      replaceMember(result.members, id, (call) => withOneParameter(call, exactlyOneOf)),
    );
  }, node);
}

function namedType(member: ts.PropertySignature, literals: Map<string, Members>, rewriting: Rewriting): ts.Node {
  const name = readName(member);
  const isRequest = rewriting.requests.has(name);
  const modifiers = [factory.createModifier(ts.SyntaxKind.ExportKeyword)];
  const type = isRequest ? admitUndefined(readType(member)) : readType(member);
  const base = rewriting.bases.get(name);
  const inherited = new Set((literals.get(base ?? '') ?? []).map(signature));
  const declaration = ts.isTypeLiteralNode(type)
    ? factory.createInterfaceDeclaration(
        modifiers,
        name,
        undefined,
        base
          ? [
              factory.createHeritageClause(ts.SyntaxKind.ExtendsKeyword, [
                factory.createExpressionWithTypeArguments(factory.createIdentifier(base), undefined),
              ]),
            ]
          : undefined,
        type.members.filter((one) => !inherited.has(signature(one))),
      )
    : factory.createTypeAliasDeclaration(modifiers, name, undefined, type);
  return ts.setSyntheticLeadingComments(declaration, ts.getSyntheticLeadingComments(member));
}

/** Optional request fields also accept undefined, for instance from an empty form field. */
function admitUndefined(type: ts.TypeNode): ts.TypeNode {
  if (ts.isIntersectionTypeNode(type)) return factory.createIntersectionTypeNode(type.types.map(admitUndefined));
  if (!ts.isTypeLiteralNode(type)) return type;
  const members = type.members.map((member) => {
    if (ts.isIndexSignatureDeclaration(member)) {
      return factory.updateIndexSignature(member, member.modifiers, member.parameters, orUndefined(member.type));
    }
    if (!ts.isPropertySignature(member)) return member;
    const inner = admitUndefined(readType(member));
    const admitted = member.questionToken ? orUndefined(inner) : inner;
    return factory.updatePropertySignature(member, member.modifiers, member.name, member.questionToken, admitted);
  });
  return factory.createTypeLiteralNode(members);
}

function orUndefined(type: ts.TypeNode): ts.TypeNode {
  return factory.createUnionTypeNode([type, factory.createKeywordTypeNode(ts.SyntaxKind.UndefinedKeyword)]);
}

function namesOnly(schemas: ts.PropertySignature, added: ReadonlySet<string>): ts.PropertySignature {
  const members = literalMembers(readType(schemas)).filter(ts.isPropertySignature);
  const listed = members
    .filter((member) => !added.has(readName(member)))
    .map((member) =>
      factory.createPropertySignature(
        undefined,
        member.name,
        undefined,
        factory.createTypeReferenceNode(readName(member)),
      ),
    );
  return withType(schemas, factory.createTypeLiteralNode(listed), schemas.questionToken);
}

/** A union of queries, each with one of the parameters. */
function withOneParameter(call: ts.PropertySignature, names: readonly string[]): ts.PropertySignature {
  const undefinedType = factory.createKeywordTypeNode(ts.SyntaxKind.UndefinedKeyword);
  const oneOf = (query: ts.PropertySignature): ts.PropertySignature => {
    const members = literalMembers(readType(query)).filter(ts.isPropertySignature);
    const choices = names.map((chosen) =>
      factory.createTypeLiteralNode(
        members.map((member) => {
          if (readName(member) === chosen) return withType(member, readType(member), undefined);
          return names.includes(readName(member)) ? withType(member, undefinedType, member.questionToken) : member;
        }),
      ),
    );
    return withType(query, factory.createUnionTypeNode(choices), undefined);
  };
  const parameters = (member: ts.PropertySignature) =>
    withType(member, literal(replaceMember(literalMembers(readType(member)), 'query', oneOf)), member.questionToken);
  return withType(
    call,
    literal(replaceMember(literalMembers(readType(call)), 'parameters', parameters)),
    call.questionToken,
  );
}

// --- syntax -------------------------------------------------------------------------------------------------------

function collectMembers(nodes: readonly ts.Node[], name: string): Members {
  const found = nodes.find((node) => ts.isInterfaceDeclaration(node) && node.name.text === name);
  if (!found) throw new Error(`openapi-typescript has printed no interface ${name}`);
  return (found as ts.InterfaceDeclaration).members;
}

function findMembers(members: Members, name: string): ts.PropertySignature[] {
  const member = members.filter(ts.isPropertySignature).find((one) => readName(one) === name);
  return member ? literalMembers(readType(member)).filter(ts.isPropertySignature) : [];
}

function replaceMember(
  members: Members,
  name: string,
  replace: (member: ts.PropertySignature) => ts.PropertySignature,
): ts.TypeElement[] {
  return members.map((member) =>
    ts.isPropertySignature(member) && readName(member) === name ? replace(member) : member,
  );
}

function withMembers(node: ts.InterfaceDeclaration, members: ts.TypeElement[]): ts.InterfaceDeclaration {
  const { modifiers, name, typeParameters, heritageClauses } = node;
  return factory.updateInterfaceDeclaration(node, modifiers, name, typeParameters, heritageClauses, members);
}

function withType(
  member: ts.PropertySignature,
  type: ts.TypeNode,
  question: ts.QuestionToken | undefined,
): ts.PropertySignature {
  return factory.updatePropertySignature(member, member.modifiers, member.name, question, type);
}

function literal(members: ts.TypeElement[]): ts.TypeNode {
  return factory.createTypeLiteralNode(members);
}

function literalMembers(type: ts.TypeNode): Members {
  return ts.isTypeLiteralNode(type) ? type.members : [];
}

function readType(member: ts.PropertySignature): ts.TypeNode {
  return member.type ?? factory.createKeywordTypeNode(ts.SyntaxKind.UnknownKeyword);
}

function readName({ name }: ts.TypeElement): string {
  return name && (ts.isIdentifier(name) || ts.isStringLiteral(name)) ? name.text : '';
}

const printer = ts.createPrinter({ removeComments: true });
const anywhere = ts.createSourceFile('types.ts', '', ts.ScriptTarget.Latest);

/** A member as text, without its comment. */
function signature(member: ts.TypeElement): string {
  return printer.printNode(ts.EmitHint.Unspecified, member, anywhere);
}
