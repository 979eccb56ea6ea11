/** A file that is made from others and committed. */
export interface Artifact {
  /** Path from the root of the repo. */
  file: string;
  content: string;
}

/** First lines of a file of TypeScript or JavaScript: its source, and what to change instead of it. */
export function banner(source: string, what: string): string {
  return `// Made from ${source} by \`npm run build\`.\n// Do not edit: change ${what} and run it again.\n`;
}
