/** Compares the catalogue of events with the code and docs/events.md, and checks that the audit log is append-only. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { CATALOGUE, findUndescribedMembers } from '../../src/accounts/audit/catalogue.js';
import { AUDIT_KINDS } from '../../src/accounts/audit/kinds.js';
import { withEventList } from '../../src/events/events-document.js';
import { PROJECT } from '../support/scratch-tree.js';

const SRC = join(PROJECT, 'src');
const sources = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
  .map((path) => ({ path, text: readFileSync(join(SRC, path), 'utf8') }));

describe('docs/events.md', () => {
  const page = readFileSync(join(PROJECT, 'docs', 'events.md'), 'utf8');

  it('is stored as the catalogue defines it (npm run settings updates it)', () => {
    expect(page).toBe(withEventList(page));
    expect(() => withEventList('a text without marks')).toThrow('operator-detail:begin');
  });

  it('lists every kind of event once', () => {
    const listed = [...page.matchAll(/^### `([a-z.-]+)`$/gm)].map(([, kind]) => kind);
    expect(listed.sort()).toEqual(Object.keys(AUDIT_KINDS).sort());
  });

  it('lists only kinds that the code writes', () => {
    const writers = sources
      .filter(({ path }) => !/audit\/(kinds|catalogue|audit-log)\.ts$|\/activity-kinds\.ts$|^events\/ocsf\//.test(path))
      .map(({ text }) => text);
    // The code that writes this kind composes the part after the dot.
    const composed = ['factor.removed'];
    const unwritten = Object.keys(AUDIT_KINDS).filter((kind) => !writers.some((text) => text.includes(`'${kind}'`)));
    expect(unwritten.sort()).toEqual(composed);
    expect(writers.some((text) => text.includes('kind: `factor.${change}`'))).toBe(true);
  });
});

describe('the catalogue of events', () => {
  it('says what happened in one plain sentence', () => {
    const sentences = Object.values(CATALOGUE).map(({ summary }) => summary);
    expect(sentences.filter((what) => !/^[A-Z][^`[\]|\n]*\.$/.test(what))).toEqual([]);
  });

  it('knows the members of a kind and of every event of an operator, and no others', () => {
    expect(findUndescribedMembers('sign-in.ok', ['client', 'amr', 'reason', 'constructor', 'password'])).toEqual([
      'constructor',
      'password',
    ]);
  });
});

describe('the audit log', () => {
  it('is not changed by any statement, and only the cleanup deletes rows', () => {
    const changes = /(updateTable|deleteFrom)\(\s*'audit_event'|(update|delete\s+from|truncate)\s+(table\s+)?audit_event/i;
    expect(sources.filter(({ text }) => changes.test(text)).map(({ path }) => path)).toEqual([]);
    const users = sources.filter(({ text }) => text.includes(`'audit_event'`)).map(({ path }) => path);
    expect(users.sort()).toEqual(['accounts/audit/audit-log.ts', 'accounts/cleanup.ts']);
  });
});
