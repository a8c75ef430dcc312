/** Rows in memory by id, with lookups by other values; reports each `put` and `delete`, for the journal. */

/** How to compute the value of each lookup. A row whose value is undefined is not found by that lookup. */
export type Lookups<T, K extends string> = Readonly<Record<K, (row: T) => string | undefined>>;

export class Table<T extends object, K extends string = never> {
  readonly #rows = new Map<string, T>();
  readonly #ids = new Map<string, Set<string>>();

  constructor(
    private readonly lookups: Lookups<T, K>,
    private readonly onChange: (id: string, row: T | null) => void,
  ) {}

  get(id: string): T | undefined {
    return this.#rows.get(id);
  }

  has(id: string): boolean {
    return this.#rows.has(id);
  }

  get size(): number {
    return this.#rows.size;
  }

  entries(): IterableIterator<[string, T]> {
    return this.#rows.entries();
  }

  /** @returns the rows whose lookup has this value */
  listMatching(lookup: K, value: string): [id: string, row: T][] {
    const ids = this.#ids.get(`${lookup}\n${value}`) ?? [];
    return [...ids].map((id) => [id, this.#rows.get(id) as T]);
  }

  put(id: string, row: T): void {
    this.load(id, row);
    this.onChange(id, row);
  }

  /** Puts a row without reporting the change, because the row comes from the journal. */
  load(id: string, row: T): void {
    this.#removeFromLookups(id);
    this.#rows.set(id, row);
    for (const label of this.#buildLabels(row)) {
      const ids = this.#ids.get(label);
      if (ids) ids.add(id);
      else this.#ids.set(label, new Set([id]));
    }
  }

  delete(id: string): boolean {
    if (!this.#rows.has(id)) return false;
    this.unload(id);
    this.onChange(id, null);
    return true;
  }

  /** Deletes a row without reporting the change. */
  unload(id: string): void {
    this.#removeFromLookups(id);
    this.#rows.delete(id);
  }

  #removeFromLookups(id: string): void {
    const row = this.#rows.get(id);
    if (!row) return;
    for (const label of this.#buildLabels(row)) {
      const ids = this.#ids.get(label);
      ids?.delete(id);
      if (ids?.size === 0) this.#ids.delete(label);
    }
  }

  #buildLabels(row: T): string[] {
    const labels: string[] = [];
    for (const name of Object.keys(this.lookups) as K[]) {
      const value = this.lookups[name](row);
      if (value !== undefined) labels.push(`${name}\n${value}`);
    }
    return labels;
  }
}
