/** A committed generated file. */
export interface Artifact {
  /** Path from the root of the repo. */
  file: string;
  content: string;
}

/** The banner of a generated TypeScript or JavaScript file: its generator, and where to make changes. */
export function banner(source: string, what: string): string {
  return `// Made from ${source} by \`npm run build\`.\n// Do not edit: change ${what} and run it again.\n`;
}
