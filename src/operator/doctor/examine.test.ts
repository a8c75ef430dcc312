import { expect, it } from '@jest/globals';
import { TestClock } from '../../../test/support/test-clock.js';
import type { Check } from './check.js';
import { examine } from './examine.js';
import { ok } from './finding.js';

const parts = { env: {}, clock: new TestClock(), askOperator: async () => ({ code: 'none', refusal: 'Nobody was asked.' }) };
const checks: readonly Check[] = [
  { title: 'One that hangs', run: () => new Promise(() => undefined) },
  { title: 'One that works', run: async () => [ok('It works.')] },
];

it('a check that hangs becomes a finding, and the others are shown', async () => {
  const { status, counts, findings } = await examine({ ...parts, patienceMs: 1 }, checks);
  expect([status, counts]).toEqual(['fault', { ok: 1, hint: 0, fault: 1 }]);
  expect(findings[0]).toMatchObject({ check: 'One that hangs', what: expect.stringContaining('did not finish in time') });
});
