/** The filters of the list of people, as they stand in the address. Anything in an address may be typed by hand. */

export interface PeopleFilters {
  search?: string | undefined;
  status?: 'active' | 'disabled' | undefined;
  group?: string | undefined;
  cursor?: string | undefined;
}

/** The longest search that makes sense, and the number of words that the server accepts. */
export const MAX_SEARCH = { too_long: 320, too_many_words: 10 } as const;
/** The longest text for which the server looks for anything but people. */
export const MAX_FOUND = 200;

export type SearchFault = keyof typeof MAX_SEARCH | 'no_word';

export function findSearchFault(search: string): SearchFault | null {
  if (search.length > MAX_SEARCH.too_long) return 'too_long';
  if (search !== '' && !/[\p{L}\p{N}]/u.test(search)) return 'no_word';
  return search.split(/\s+/).length > MAX_SEARCH.too_many_words ? 'too_many_words' : null;
}

/** @param given the parameters of the address */
export function readPeopleFilters(given: Readonly<Record<string, unknown>>): PeopleFilters {
  const search = toText(given['search']);
  const group = toText(given['group']);
  const { status, cursor } = given;
  return {
    ...(search === undefined ? {} : { search }),
    ...(status === 'active' || status === 'disabled' ? { status } : {}),
    ...(group === undefined ? {} : { group }),
    ...(typeof cursor === 'string' && /^\d{1,15}$/.test(cursor) ? { cursor } : {}),
  };
}

const ACCOUNT_ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

export const isUuid = (text: string): boolean => ACCOUNT_ID.test(text);

function toText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}
