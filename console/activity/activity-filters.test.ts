import { describe, expect, it } from '@jest/globals';
import { readActivityFilters } from './activity-filters.js';
import { fromLocalField, toLocalField } from './local-times.js';

describe('the filters of the activity', () => {
  it.each([
    ['kind', 'password.ok'],
    ['kind', 'recovery-codes'],
    ['actor', 'person'],
    ['actor', 'operator:olga.operator'],
    ['actor', 'operator:jörg@example'],
    ['account', '0b0e1c5a-7a5d-4a52-9d1f-3f0e5a8f1d11'],
    ['since', '2026-11-27'],
    ['until', '2026-11-27T14:05Z'],
    ['cursor', '4711'],
  ])('are read from an address: %s=%s', (name, value) => {
    expect(readActivityFilters({ [name]: value })).toEqual({ [name]: value });
  });

  it.each([
    ['kind', '<script>'],
    ['actor', 'operator:a b'],
    ['actor', 'somebody'],
    ['account', 'maria'],
    ['since', 'yesterday'],
    ['until', '2026-11-27T14:05'],
    ['cursor', '-1'],
    ['constructor', 'x'],
  ])('leave out what the server would refuse: %s=%s', (name, value) => {
    expect(readActivityFilters({ [name]: value })).toEqual({});
  });
});

describe('the times of the filters', () => {
  it('are the same time in a field and in an address', () => {
    const local = toLocalField('2026-11-27T14:05Z');
    expect(local).toMatch(/^2026-11-2\dT\d\d:\d\d$/);
    expect(fromLocalField(local)).toBe('2026-11-27T14:05Z');
    expect(new Date(local).getTime()).toBe(Date.parse('2026-11-27T14:05Z'));
  });

  it('are absent if the field is empty or incomplete, or if the address has no valid time', () => {
    expect([fromLocalField(''), fromLocalField('2026-')]).toEqual([undefined, undefined]);
    expect([toLocalField(undefined), toLocalField('2026-99-99')]).toEqual(['', '']);
  });
});
