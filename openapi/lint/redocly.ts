/**
 * Rules and decorators as this plugin writes them. Redocly's own types are for documents of all versions, so a visitor
 * that reads OpenAPI 3.1 with this contract's extensions needs its own type; plugin.ts hands it to Redocly.
 */
import type { UserContext } from '@redocly/openapi-core';

export type { Location, UserContext as Context } from '@redocly/openapi-core';

/** Action at a node. */
export type Visit = (node: never, context: UserContext) => void;

/** Actions at the nodes of a type (its name in Redocly's type tree), before or after their children. */
export type Visitor = Record<string, Visit | { enter?: Visit; leave?: Visit }>;

/** Makes the visitor of a rule or of a decorator from its options in redocly.yaml. */
export type Rule<Options = object> = (options: Options) => Visitor;
