#!/usr/bin/env node
/** `payments-gateway`. An older Node could not even load the command: it has no SQLite. */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 13)) {
  console.error(`payments-gateway needs Node 22.13 or newer; this is ${process.version}`);
  process.exit(1);
}
await import('./main.ts');
