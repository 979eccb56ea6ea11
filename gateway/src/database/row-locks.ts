/** Row locks in statements: `for update`, optionally of one table or with `skip locked`, and `for key share`. */

/** The statement without its locks, for a database on which units of work are correct without them. */
export function withoutRowLocks(sql: string): string {
  return sql.replace(/\bfor (update( of \w+)?( skip locked)?|key share)/g, '');
}
