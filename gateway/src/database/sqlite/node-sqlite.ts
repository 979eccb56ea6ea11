/**
 * Node's SQLite. An older Node has none and would refuse an `import` of it, before src/index.ts could say which Node is
 * needed.
 */
export const DatabaseSync = process.getBuiltinModule('node:sqlite')?.DatabaseSync;
export type DatabaseSync = InstanceType<typeof DatabaseSync>;
