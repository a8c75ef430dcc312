import { expect, it } from '@jest/globals';
import { TestClock } from '../../../test/support/test-clock.js';
import type { Check } from './check.js';
import { examine } from './examine.js';
import { ok } from './finding.js';

const parts = { env: {}, clock: new TestClock(), requestHealth: async () => ({ code: 'none', explanation: 'Not requested.' }) };
const checks: readonly Check[] = [
  { title: 'A check that hangs', run: () => new Promise(() => undefined) },
  { title: 'A check that works', run: async () => [ok('It works.')] },
];

it('a check that hangs becomes a finding, and the others are shown', async () => {
  const { status, counts, findings } = await examine({ ...parts, checkTimeoutMs: 1 }, checks);
  expect([status, counts]).toEqual(['fault', { ok: 1, hint: 0, fault: 1 }]);
  expect(findings[0]).toMatchObject({ check: 'A check that hangs', what: expect.stringContaining('did not finish in time') });
});

it('a check that throws before it has a promise becomes a finding too', async () => {
  const run = () => {
    throw new TypeError('secret');
  };
  const { status, findings } = await examine(parts, [{ title: 'A check that throws', run }, ...checks.slice(1)]);
  expect([status, findings.length]).toEqual(['fault', 2]);
  expect(findings[0]).toMatchObject({ check: 'A check that throws', what: expect.stringContaining('(TypeError)') });
});
