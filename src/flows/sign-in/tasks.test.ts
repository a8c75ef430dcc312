import { describe, expect, it } from '@jest/globals';
import type { Config, Terms } from '../../config/config.js';
import { findTasks, toTaskKey, type TaskCase } from './tasks.js';

const NOW = new Date('2026-11-28T12:00:00Z');
const REQUIRED_PASSWORD = { reason: 'operator', since: NOW } as const;
const USE: Terms = { id: 'use', version: '2', texts: [] };

interface Changes extends Partial<Omit<TaskCase, 'account'>> {
  account?: Partial<TaskCase['account']>;
  settings?: Partial<Config['tasks']>;
  terms?: readonly Terms[];
  now?: Date;
}

function find({ account, settings, terms = [], now = NOW, ...more }: Changes) {
  return findTasks(
    {
      account: { emailVerified: true, attributes: {}, ...account },
      clientId: 'portal',
      provesPassword: true,
      amr: ['pwd'],
      postponed: [],
      ...more,
    },
    { settings: { emailProof: 'off', requiredFields: [], ...settings }, terms, now },
  );
}

describe('[TSK-1] the tasks of a person', () => {
  it('are an empty list for an account of which nothing is required', () => {
    expect(find({})).toEqual([]);
  });

  it('are a new password after a proof by the password that is stored here, and after no other', () => {
    const account = { requiredPassword: REQUIRED_PASSWORD };
    expect(find({ account })).toEqual([{ kind: 'password', ...REQUIRED_PASSWORD }]);
    expect(find({ account, provesPassword: false })).toEqual([]);
  });

  it('[TSK-30] are the proof of an address that is not verified, unless a source owns it', () => {
    const settings = { emailProof: 'required' } as const;
    const email = { kind: 'email' };
    expect(find({ settings, account: { emailVerified: false } })).toEqual([email]);
    expect(find({ settings, account: { emailVerified: true } })).toEqual([]);
    expect(find({ settings, account: { emailVerified: false, hasSource: true } })).toEqual([]);
    expect(find({ account: { emailVerified: false } })).toEqual([]);
    const account = { requiredPassword: REQUIRED_PASSWORD, emailVerified: false };
    expect(find({ settings, account })).toEqual([{ kind: 'password', ...REQUIRED_PASSWORD }, email]);
  });

  it('[TSK-31] do not contain the proof of an address after a provider or a mailed code alone', () => {
    const settings = { emailProof: 'required' } as const;
    for (const amr of [['fed'], ['mail']]) expect(find({ settings, account: { emailVerified: false }, amr })).toEqual([]);
    expect(find({ settings, account: { emailVerified: false }, amr: ['fed', 'otp', 'mfa'] })).toHaveLength(1);
  });

  it('[TSK-32] stay postponed until the day on which they are due', () => {
    const settings = { emailProof: 'required', emailProofFrom: new Date('2027-01-31T00:00:00Z') } as const;
    const findAt = (now: string) =>
      find({ settings, account: { emailVerified: false }, postponed: ['email'], now: new Date(now) });
    expect(findAt('2027-01-30T23:59:59Z')).toEqual([]);
    expect(findAt('2027-01-31T00:00:00Z')).toHaveLength(1);
    const immediateSettings = { emailProof: 'required' } as const;
    expect(find({ settings: immediateSettings, account: { emailVerified: false }, postponed: ['email'] })).toHaveLength(1);
  });

  it('[TSK-33] are the required attributes that the account lacks, unless a source owns them', () => {
    const field = { name: 'branch', kind: 'text', isRequired: true } as const;
    const settings = { requiredFields: [field] };
    expect(find({ settings })).toEqual([{ kind: 'fields', fields: [field] }]);
    expect(find({ settings, amr: ['fed'] })).toHaveLength(1);
    expect(find({ settings, account: { attributes: { branch: 'North' } } })).toEqual([]);
    expect(find({ settings, account: { hasSource: true } })).toEqual([]);
    expect(find({ settings: { requiredFields: [{ ...field, name: 'constructor' }] } })).toHaveLength(1);
  });
});

describe('[TSK-11] terms', () => {
  const asks = (account: Changes['account'] = {}, terms: Partial<Terms> = {}): boolean =>
    find({ account, provesPassword: false, terms: [{ ...USE, ...terms }] }).length > 0;

  it('are shown until the person has accepted this version, and not again if another version is accepted afterwards', () => {
    expect(asks()).toBe(true);
    expect(asks({ acceptedTerms: { other: ['2'], use: ['1'] } })).toBe(true);
    expect(asks({ acceptedTerms: { use: ['2'] } })).toBe(false);
    expect(asks({ acceptedTerms: { use: ['2', '3'] } })).toBe(false);
    expect(asks({ acceptedTerms: {} }, { id: 'constructor' })).toBe(true);
  });

  it('are shown only at sign-ins to the clients in the list, and only from the time in `from`', () => {
    expect([asks({}, { clients: ['portal'] }), asks({}, { clients: ['wiki'] })]).toEqual([true, false]);
    expect([asks({}, { from: NOW }), asks({}, { from: new Date(NOW.getTime() + 1) })]).toEqual([true, false]);
  });

  it('come before the new password, in the order of the setting', () => {
    const tasks = find({ account: { requiredPassword: REQUIRED_PASSWORD }, terms: [USE, { ...USE, id: 'privacy' }] });
    expect(tasks.map((task) => toTaskKey(task))).toEqual(['terms.use', 'terms.privacy', 'password']);
  });

  it('may be postponed until the time in `laterUntil`, and are then shown whatever was postponed', () => {
    const terms = [
      { ...USE, laterUntil: new Date(NOW.getTime() + 1) },
      { ...USE, id: 'privacy', laterUntil: NOW },
    ];
    const list = (postponed: TaskCase['postponed']) => find({ terms, postponed }).map((task) => toTaskKey(task));
    expect(list([])).toEqual(['terms.use', 'terms.privacy']);
    expect(list(['terms.use', 'terms.privacy'])).toEqual(['terms.privacy']);
    expect(list('everything')).toEqual(['terms.privacy']);
  });
});
