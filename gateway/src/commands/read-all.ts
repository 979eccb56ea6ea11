/** Entries per query. */
const PAGE = 1_000;

/** All entries of a list, which is read page by page: up to `limit` after one. */
export async function readAll<Entry>(
  readPage: (last: Entry | undefined, limit: number) => Promise<readonly Entry[]>,
): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (;;) {
    const page = await readPage(entries.at(-1), PAGE);
    entries.push(...page);
    if (page.length < PAGE) return entries;
  }
}
