/**
 * The numbered migrations. The files of a number form one migration: a shared file (`001-baseline.sql`), followed by
 * one per kind of database (`001-baseline.sqlite.sql`). Header lines of a file:
 *
 * - `-- breaking: NNN` if gateways of a schema before NNN can't run on the new schema. Without it, they can.
 * - `-- concurrently:` if it only creates indexes. PostgreSQL builds indexes of large tables without blocking writes.
 */
import { readTexts } from '../../../contract/src/files.ts';
import { sha256Hex } from '../platform/crypto.ts';
import type { Store } from './store.ts';

export interface Migration {
  /** Such as `001-baseline`. */
  readonly name: string;
  readonly statements: readonly string[];
  /** Changes with the statements, and not with the comments. */
  readonly hash: string;
  /** It only creates indexes and doesn't block writes. */
  readonly isConcurrent: boolean;
  /** The oldest schema whose gateways can run on the new one. */
  readonly usableBy: number;
}

const FOLDER = new URL('./migrations/', import.meta.url);
const FILE = /^(?<name>\d{3}-[\w-]+)(?:\.(?<kind>sqlite|postgres))?\.sql$/;

/** A start asks for them several times. */
const READ = new Map<Store['kind'], readonly Migration[]>();

/** Reads the migrations of a kind of database, in their order. */
export function readMigrations(kind: Store['kind']): readonly Migration[] {
  const known = READ.get(kind);
  if (known) return known;
  const scripts = readTexts(FOLDER, (file) => FILE.test(file));
  const migrations = parseMigrations(kind, scripts);
  READ.set(kind, migrations);
  return migrations;
}

/** Makes the migrations of a kind of database from files by name. */
export function parseMigrations(kind: Store['kind'], files: ReadonlyMap<string, string>): Migration[] {
  const scripts = new Map<string, { shared?: string; own?: string }>();
  for (const [file, script] of files) {
    const parts = FILE.exec(file)?.groups;
    const name = parts?.['name'];
    if (name === undefined || ![undefined, kind].includes(parts?.['kind'] as Store['kind'] | undefined)) continue;
    scripts.set(name, { ...scripts.get(name), [parts?.['kind'] ? 'own' : 'shared']: script });
  }
  return [...scripts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { shared = '', own = '' }]) => parseMigration(name, `${shared}\n${own}`));
}

export function parseMigration(name: string, script: string): Migration {
  const statements = splitStatements(script);
  return {
    name,
    statements,
    hash: sha256Hex(statements.join(';\n')),
    isConcurrent: /^-- concurrently:/m.test(script),
    usableBy: Number(/^-- breaking: (\d+)$/m.exec(script)?.[1] ?? 1),
  };
}

function splitStatements(script: string): string[] {
  return script
    .replaceAll(/--.*$/gm, '')
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}
