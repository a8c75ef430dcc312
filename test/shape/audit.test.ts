/** Compares the catalogue of events with the code, and checks that the audit log is append-only. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { AUDIT_KINDS } from '../../src/accounts/audit/kinds.js';
import { PROJECT } from '../support/scratch-tree.js';

const SRC = join(PROJECT, 'src');
const sources = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
  .map((path) => ({ path, text: readFileSync(join(SRC, path), 'utf8') }));
const catalogue = readFileSync(join(PROJECT, 'docs', 'audit.md'), 'utf8');
const rows = [...catalogue.matchAll(/^\| `([a-z.-]+)` \| [^|]+ \| (stays|passes) \|$/gm)].map(([, kind, kept]) => [kind, kept]);

describe('docs/audit.md', () => {
  it('lists every kind of event once, with the retention that the code has', () => {
    expect(rows.length).toBe(new Set(rows.map(([kind]) => kind)).size);
    expect(Object.fromEntries(rows)).toEqual(AUDIT_KINDS);
  });

  it('lists only kinds that the code writes', () => {
    const writers = sources
      .filter(({ path }) => !/audit\/(kinds|audit-log)\.ts$|\/activity-kinds\.ts$/.test(path))
      .map(({ text }) => text);
    // The code that writes these two kinds composes the part after the dot.
    const composed = ['factor.added', 'factor.removed'];
    const unwritten = Object.keys(AUDIT_KINDS).filter((kind) => !writers.some((text) => text.includes(`'${kind}'`)));
    expect(unwritten.sort()).toEqual(composed);
    expect(writers.some((text) => text.includes('kind: `factor.${change}`'))).toBe(true);
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
