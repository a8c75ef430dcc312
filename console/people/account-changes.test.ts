import { describe, expect, it } from '@jest/globals';
import { ACCOUNTS } from '../fixtures/accounts.js';
import { toCommandOptions, toForm, toPatch } from './account-changes.js';

const [maria] = ACCOUNTS;
const form = toForm(maria!);

describe('a change of an account', () => {
  it('is empty if nothing differs, or only surrounding spaces do', () => {
    expect(toPatch(form, form)).toEqual({});
    expect(toPatch(form, { ...form, displayName: ' Maria Musterfrau ', furtherGroups: 'Betriebsrat\n\n Erste Hilfe ' })).toEqual(
      {},
    );
  });

  it('contains only the members that differ, and null for an emptied one', () => {
    const changedForm = { ...form, email: '', language: 'en', group: '', secondFactor: 'required' } as const;
    expect(toPatch(form, changedForm)).toEqual({ email: null, language: 'en', group_name: null, second_factor: 'required' });
  });

  it('replaces the further groups, without duplicates', () => {
    expect(toPatch(form, { ...form, furtherGroups: 'A\nB\nA' })).toEqual({ groups: ['A', 'B'] });
    expect(toPatch(form, { ...form, furtherGroups: ' ' })).toEqual({ groups: [] });
  });

  it('names the address if it is marked as verified, because the API requires it', () => {
    expect(toPatch(form, { ...form, isEmailVerified: true })).toEqual({ email: maria!.email, email_verified: true });
    expect(toPatch(form, { ...form, email: '', isEmailVerified: true })).toEqual({ email: null });
  });

  it('becomes a command with the same effect', () => {
    const patch = { display_name: 'Maria M.', email: null, groups: ['A', 'B'], second_factor: null };
    expect(toCommandOptions(patch)).toEqual([
      ['name', 'Maria M.'],
      ['clear', 'email'],
      ['further-group', 'A'],
      ['further-group', 'B'],
      ['second-factor', 'default'],
    ]);
    expect(toCommandOptions({ email: 'm@example.org', email_verified: true, groups: [] })).toEqual([
      ['email', 'm@example.org'],
      ['email-verified'],
      ['clear', 'further-group'],
    ]);
  });
});
