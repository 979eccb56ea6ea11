/** Builds the files if they are missing, or if a source, a module of the generator or a file itself has changed. */
export function buildGatewayApis(root?: string): Promise<void>;

/** The given files, and what the modules among them import, at any depth. */
export function listImports(files: readonly string[]): ReadonlySet<string>;
