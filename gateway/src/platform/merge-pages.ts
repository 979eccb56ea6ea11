/** Merges sorted, paginated sequences. */

export type PageSequence<T> = AsyncIterable<readonly T[]>;

/** Entries of a page of several sequences. */
const PAGE = 1_000;

/** Merges sequences sorted by a key. */
export async function* mergePages<T>(
  sources: readonly PageSequence<T>[],
  keyOf: (entry: T) => string,
): AsyncGenerator<readonly T[]> {
  const heads = await Promise.all(sources.map((source) => Head.open(source, keyOf)));
  for (let page: T[] = []; ; page = []) {
    while (page.length < PAGE) {
      const first = smallest(heads);
      if (!first) break;
      page.push(first.entry as T);
      await first.advance();
    }
    if (page.length > 0) yield page;
    if (page.length < PAGE) return;
  }
}

function smallest<T>(heads: readonly Head<T>[]): Head<T> | undefined {
  let found: Head<T> | undefined;
  for (const head of heads) if (head.key !== undefined && !(found && (found.key ?? '') <= head.key)) found = head;
  return found;
}

/** The position in a sequence. */
class Head<T> {
  readonly #pages: AsyncIterator<readonly T[]>;
  readonly #keyOf: (entry: T) => string;
  #page: readonly T[] = [];
  #index = -1;
  /** The key of the entry; undefined at the end. */
  key: string | undefined;

  private constructor(source: PageSequence<T>, keyOf: (entry: T) => string) {
    this.#pages = source[Symbol.asyncIterator]();
    this.#keyOf = keyOf;
  }

  static async open<T>(source: PageSequence<T>, keyOf: (entry: T) => string): Promise<Head<T>> {
    const head = new Head(source, keyOf);
    await head.advance();
    return head;
  }

  get entry(): T | undefined {
    return this.#page[this.#index];
  }

  async advance(): Promise<void> {
    this.#index += 1;
    while (this.#index >= this.#page.length) {
      const next = await this.#pages.next();
      if (next.done) {
        this.key = undefined;
        return;
      }
      [this.#page, this.#index] = [next.value, 0];
    }
    this.key = this.#keyOf(this.#page[this.#index] as T);
  }
}
