/** Broken rules, the findings of a simulation. */

/** Thrown when a rule is broken. `rule` is its name, and is the same for the same defect. */
export class BrokenRule extends Error {
  readonly rule: string;
  constructor(rule: string, detail: string) {
    super(`${rule}: ${detail}`);
    this.rule = rule;
  }
}

/** Throws a BrokenRule unless the condition holds. */
export function demand(condition: boolean, rule: string, detail: () => string): asserts condition {
  if (!condition) throw new BrokenRule(rule, detail());
}
