/**
 * Parses and writes queries and forms as Hydra's runtime does: the first value counts, pairs that cannot be decoded
 * are skipped, and encoding sorts by name. This matters because `redirect_to` is a re-encoded request URL.
 */

export class Query {
  readonly #pairs: Map<string, string[]>;

  constructor(pairs: Iterable<readonly [string, string]> = []) {
    this.#pairs = new Map();
    for (const [name, value] of pairs) this.add(name, value);
  }

  static parse(text: string): Query {
    const query = new Query();
    for (const pair of text.split('&')) {
      if (pair === '' || pair.includes(';')) continue;
      const separatorIndex = pair.indexOf('=');
      const name = unescape(separatorIndex < 0 ? pair : pair.slice(0, separatorIndex));
      const value = unescape(separatorIndex < 0 ? '' : pair.slice(separatorIndex + 1));
      if (name !== null && value !== null) query.add(name, value);
    }
    return query;
  }

  /** @returns the first value, or '' */
  first(name: string): string {
    return this.#pairs.get(name)?.[0] ?? '';
  }

  getAll(name: string): readonly string[] {
    return this.#pairs.get(name) ?? [];
  }

  has(name: string): boolean {
    return this.#pairs.has(name);
  }

  get isEmpty(): boolean {
    return this.#pairs.size === 0;
  }

  add(name: string, value: string): void {
    const values = this.#pairs.get(name);
    if (values) values.push(value);
    else this.#pairs.set(name, [value]);
  }

  set(name: string, value: string): void {
    this.#pairs.set(name, [value]);
  }

  /** @returns a new query in which, for each name, the values of `this` come before those of `otherQuery` */
  concat(otherQuery: Query): Query {
    const result = new Query();
    for (const query of [this, otherQuery]) {
      for (const [name, values] of query.#pairs) for (const value of values) result.add(name, value);
    }
    return result;
  }

  names(): string[] {
    return [...this.#pairs.keys()];
  }

  encode(): string {
    return [...this.#pairs]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([name, values]) => values.map((value) => `${escapeQuery(name)}=${escapeQuery(value)}`))
      .join('&');
  }
}

/** @returns `url` with `values` set in its query, and without its fragment */
export function withQuery(url: string, values: Record<string, string>): string {
  const { base, query } = splitUrl(url);
  for (const [name, value] of Object.entries(values)) query.set(name, value);
  return joinUrl(base, query);
}

/** Ignores the fragment. */
export function splitUrl(url: string): { base: string; query: Query } {
  const [address = ''] = url.split('#', 1);
  const separatorIndex = address.indexOf('?');
  return separatorIndex < 0
    ? { base: address, query: new Query() }
    : { base: address.slice(0, separatorIndex), query: Query.parse(address.slice(separatorIndex + 1)) };
}

export function joinUrl(base: string, query: Query): string {
  const encodedQuery = query.encode();
  return encodedQuery === '' ? base : `${base}?${encodedQuery}`;
}

/** Encodes as application/x-www-form-urlencoded. All characters except ASCII letters, digits and `-_.~` are escaped. */
function escapeQuery(text: string): string {
  // A lone surrogate cannot be encoded in UTF-8; the round trip replaces it.
  return encodeURIComponent(Buffer.from(text).toString())
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');
}

function unescape(text: string): string | null {
  if (/%(?![0-9a-fA-F]{2})/.test(text)) return null;
  const bytes = text
    .replaceAll('+', ' ')
    .replace(/%([0-9a-fA-F]{2})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}
