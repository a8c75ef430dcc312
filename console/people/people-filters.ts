/** The filters of the list of people, as the address contains them. An address may be typed by hand, so invalid values are ignored. */

export interface PeopleFilters {
  search?: string | undefined;
  status?: 'active' | 'disabled' | undefined;
  group?: string | undefined;
  /** Id of a user source, issuer of a provider, or `scim:` and the id of a SCIM source. */
  source?: string | undefined;
  local?: 'true' | undefined;
  signed_in_since?: string | undefined;
  signed_in_before?: string | undefined;
  never_signed_in?: 'true' | undefined;
  cursor?: string | undefined;
}

/** The most characters of a search, and the most words that the server accepts. */
export const MAX_SEARCH = { too_long: 320, too_many_words: 10 } as const;
/** The longest text for which the server also searches apps and events. */
export const MAX_GLOBAL_SEARCH = 200;

export type SearchFault = keyof typeof MAX_SEARCH | 'no_word';

export function findSearchFault(search: string): SearchFault | null {
  if (search.length > MAX_SEARCH.too_long) return 'too_long';
  if (search !== '' && !/[\p{L}\p{N}]/u.test(search)) return 'no_word';
  return search.split(/\s+/).length > MAX_SEARCH.too_many_words ? 'too_many_words' : null;
}

/** @param parameters the parameters of the address */
export function readPeopleFilters(parameters: Readonly<Record<string, unknown>>): PeopleFilters {
  const search = toText(parameters['search']);
  const group = toText(parameters['group']);
  const source = toText(parameters['source']);
  const { status, cursor, local, never_signed_in: neverSignedIn } = parameters;
  return {
    ...(search === undefined ? {} : { search }),
    ...(status === 'active' || status === 'disabled' ? { status } : {}),
    ...(group === undefined ? {} : { group }),
    ...(source === undefined ? {} : { source }),
    ...(isSet(local) ? { local: 'true' } : {}),
    ...toTime('signed_in_since', parameters),
    ...toTime('signed_in_before', parameters),
    ...(isSet(neverSignedIn) ? { never_signed_in: 'true' } : {}),
    ...(typeof cursor === 'string' && /^\d{1,15}(-\d{1,15})?$/.test(cursor) ? { cursor } : {}),
  };
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

export const isUuid = (text: string): boolean => UUID.test(text);

function toText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

const isSet = (value: unknown): boolean => value === 'true';

const TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?Z)?$/;

function toTime(name: 'signed_in_since' | 'signed_in_before', parameters: Readonly<Record<string, unknown>>): PeopleFilters {
  const value = parameters[name];
  return typeof value === 'string' && TIME.test(value) ? { [name]: value } : {};
}

/** @returns the values of the filters that are set, without the search and the cursor */
export function listActiveFilters({ search: _, cursor: __, ...filters }: PeopleFilters): string[] {
  return Object.values(filters).filter((value) => value !== undefined);
}
