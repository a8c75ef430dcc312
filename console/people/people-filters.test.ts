import { describe, expect, it } from '@jest/globals';
import { findSearchFault, isUuid, listActiveFilters, readPeopleFilters } from './people-filters.js';

describe('the filters of the list of people', () => {
  it('are read from an address, without invalid values', () => {
    const parameters = { search: " %' ", status: 'active', group: 'Einkauf', cursor: '50', other: 'x' };
    expect(readPeopleFilters(parameters)).toEqual({ search: "%'", status: 'active', group: 'Einkauf', cursor: '50' });
    expect(readPeopleFilters({ search: ' ', status: 'gone', group: 1, cursor: '-1' })).toEqual({});
  });

  it('for source and last sign-in are read and counted', () => {
    const parameters = {
      source: 'staff',
      local: 'true',
      signed_in_since: '2026-01-31',
      never_signed_in: 'true',
      cursor: '17-4',
      search: 'x',
    };
    const filters = readPeopleFilters(parameters);
    expect(filters).toEqual(parameters);
    expect(listActiveFilters(filters)).toHaveLength(4);
    expect(readPeopleFilters({ local: 'no', signed_in_before: 'yesterday', never_signed_in: 1, source: ' ' })).toEqual({});
  });

  it('limit the search', () => {
    expect(findSearchFault('x'.repeat(320))).toBeNull();
    expect(findSearchFault('x'.repeat(10_000))).toBe('too_long');
    expect(findSearchFault("% '")).toBe('no_word');
    expect(findSearchFault('')).toBeNull();
    expect(findSearchFault('a b c d e f g h i j k')).toBe('too_many_words');
  });

  it('recognise the id of an account', () => {
    expect(isUuid('0B0E1C5A-7a5d-4a52-9d1f-3f0e5a8f1d11')).toBe(true);
    expect(isUuid('0b0e1c5a')).toBe(false);
    expect(isUuid('0b0e1c5a-7a5d-4a52-9d1f-3f0e5a8f1d11x')).toBe(false);
  });
});
