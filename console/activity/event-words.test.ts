import { describe, expect, it } from '@jest/globals';
import { AUDIT_KINDS } from '../../src/accounts/audit/kinds.js';
import { FAMILIES, KINDS, findEventPhrase, findReason, isByOperator, listFacts } from './event-words.js';

describe('the words of events', () => {
  it('exist for every kind of the server', () => {
    expect(Object.keys(AUDIT_KINDS).filter((kind) => findEventPhrase(kind) === undefined)).toEqual([]);
  });

  it('contain each kind in one topic of the filter, and no family without kinds', () => {
    expect(new Set(KINDS).size).toBe(KINDS.length);
    for (const family of FAMILIES)
      expect([family, KINDS.filter((kind) => kind.startsWith(`${family}.`)).length > 0]).toEqual([family, true]);
  });

  it('are missing for a kind of a newer server, which is then shown by its name', () => {
    expect(findEventPhrase('novelty.seen')).toBeUndefined();
    expect(findEventPhrase('constructor')).toBeUndefined();
  });

  it('name the details that matter, in one order', () => {
    const detail = { sessions: 2, client: 'portal', scopes: ['openid', 'email'], unknown: 'x' };
    expect(listFacts({ actor: 'person', detail })).toEqual([
      { name: 'client', values: ['portal'] },
      { name: 'scopes', values: ['openid', 'email'] },
      { name: 'sessions', values: ['2'] },
    ]);
    expect(listFacts({ actor: 'system', detail: null })).toEqual([]);
  });

  it('distinguish the reason of an operator from the reason of a refusal', () => {
    const detail = { reason: 'no account' };
    expect(findReason({ actor: 'operator:sven', detail })).toBe('no account');
    expect(listFacts({ actor: 'operator:sven', detail })).toEqual([]);
    expect(findReason({ actor: 'person', detail })).toBeUndefined();
    expect(listFacts({ actor: 'person', detail })).toEqual([{ name: 'reason', values: ['no account'] }]);
  });

  it('recognise operators by the whole word before the colon', () => {
    expect(['operator', 'operator:x', 'operators', 'person'].map(isByOperator)).toEqual([true, true, false, false]);
  });
});
