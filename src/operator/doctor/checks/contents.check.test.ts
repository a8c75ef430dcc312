import { describe, expect, it } from '@jest/globals';
import { testConfig } from '../../../../test/support/test-config.js';
import type { Examination } from '../examination.js';
import { attributesCheck } from './attributes.check.js';
import { usernamesCheck } from './usernames.check.js';

/** What is inspected of a database whose accounts have no faults. */
const CONTENTS = {
  names: { addresses: [], sharedAddresses: [], lookAlikes: [], maybeReservedNames: [] },
  unfitAttributes: { accounts: 0, examinedAccounts: 0 },
};

const toExamination = (facts: { missingMigrations: string[]; mayWrite: boolean }): Examination => {
  const database = async () => ({ inspection: { state: 'open', ...CONTENTS, ...facts } });
  return { config: testConfig(), reservedUsernames: [], database } as unknown as Examination;
};

describe.each([
  ['usernames', usernamesCheck],
  ['attributes', attributesCheck],
])('the doctor about %s', (_, check) => {
  it('reports that all is well if it has read them', async () => {
    expect(await check.run(toExamination({ missingMigrations: [], mayWrite: true }))).toMatchObject([{ level: 'ok' }]);
  });

  it.each([
    ['migrations are missing', { missingMigrations: ['console'], mayWrite: true }],
    ['the user may not write', { missingMigrations: [], mayWrite: false }],
  ])('reports nothing if it has not read them, because %s', async (_why, facts) => {
    expect(await check.run(toExamination(facts))).toEqual([]);
  });
});
