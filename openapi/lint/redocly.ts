/**
 * The part of Redocly's plugin API that the rules and the decorator use, since the command line carries no types.
 * Redocly walks the document through its references, and visits each node once, with the place where it is written.
 */

export interface Reference {
  $ref: string;
}

/** A place in a source file. */
export interface Location {
  source: { absoluteRef: string };
  /** JSON pointer in the file, beginning with `#/`. */
  pointer: string;
  child(path: string | number | (string | number)[]): Location;
  /** The same place, but its key is marked instead of its value. */
  key(): Location;
}

interface Problem {
  message: string;
  location?: Location;
}

export interface Context {
  location: Location;
  /** Under what the node stands in its parent. */
  key: string | number;
  parent: unknown;
  type: { name: string };
  report(problem: Problem): void;
  /** Follows a reference, which is relative to the file `from`. */
  resolve(ref: Reference, from: string): { node?: unknown; location?: Location };
}

/** What is done at a node. */
export type Visit = (node: never, context: Context) => void;

/** What to do at the nodes of a type (its name in Redocly's type tree), before or after their children. */
export type Visitor = Record<string, Visit | { enter?: Visit; leave?: Visit }>;

/** Makes the visitor of a rule from the rule's options in redocly.yaml. */
export type Rule<Options = object> = (options: Options) => Visitor;

/** Makes the visitor of a decorator from its settings in redocly.yaml. */
export type Decorator<Settings = object> = (settings: Settings) => Visitor;

export interface Plugin {
  id: string;
  rules: { oas3: Record<string, Rule<never>> };
  decorators: { oas3: Record<string, Decorator<never>> };
}
