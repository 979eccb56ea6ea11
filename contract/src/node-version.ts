/** Reports the Node version that a package needs, before an older Node fails on a missing feature. */

export interface NodePackage {
  readonly name: string;
  readonly engines: { readonly node: string };
}

/** Returns a one-line error if Node is too old. */
function explainOldNode({ name, engines }: NodePackage): string | undefined {
  const least = engines.node.replace('>=', '');
  if (!isOlder(process.versions.node, least)) return undefined;
  return `${name} needs Node ${least} or newer; this is ${process.version}. Install a newer one from https://nodejs.org.`;
}

/** For a command: prints the line and ends the process, with the code that it has for this. */
export function exitOnOldNode(needs: NodePackage, exitCode = 1): void {
  const problem = explainOldNode(needs);
  if (problem === undefined) return;
  // biome-ignore lint/suspicious/noConsole: an old Node can't load the command line.
  console.error(problem);
  process.exit(exitCode);
}

/** For a library: throws the line when it is imported. */
export function throwOnOldNode(needs: NodePackage): void {
  const problem = explainOldNode(needs);
  if (problem !== undefined) throw new Error(problem);
}

function isOlder(version: string, least: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [leastMajor = 0, leastMinor = 0] = least.split('.').map(Number);
  return major < leastMajor || (major === leastMajor && minor < leastMinor);
}
