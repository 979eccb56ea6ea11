/**
 * Rewrites the output of openapi-typescript: each schema becomes a named interface or type, so that compiler errors say
 * `Payment` instead of listing its members.
 */
import ts from 'typescript';
import type { TypedDocument } from './documents.ts';

const { factory } = ts;

type Members = readonly ts.TypeElement[];

export interface Rewriting extends Pick<TypedDocument, 'bases'> {
  /** Names of schemas used in requests. */
  requests: ReadonlySet<string>;
}

/** Declares a type for each schema. Drops `paths` and the rest, whose form is openapi-typescript's own. */
export function withNamedTypes(nodes: readonly ts.Node[], rewriting: Rewriting): ts.Node[] {
  const schemas = findMembers(collectMembers(nodes, 'components'), 'schemas');
  const literals = new Map(schemas.map((member) => [readName(member), literalMembers(readType(member))]));
  return schemas.map((member) => namedType(member, literals, rewriting));
}

/** The printed statements with references by name. */
export function byName(text: string): string {
  return text.replaceAll(/components\["schemas"\]\["(\w+)"\]/g, '$1');
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
