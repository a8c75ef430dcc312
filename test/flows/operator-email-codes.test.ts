/** Codes by e-mail in the operator API: which accounts have them, and how they are exported and imported. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestOperator, type TestOperator } from '../support/operator.js';
import { commandLine, expectError, importer, parseLines } from '../support/operator-story.js';

const NAME = 'email-code';

let operator: TestOperator;
const foyer = commandLine(() => operator);
const { importLines } = importer(() => operator);

beforeAll(async () => {
  operator = await startTestOperator();
});

afterAll(() => operator.close());

async function importAccount(username: string, more: object = {}): Promise<string> {
  const [line] = await importLines([{ username, email: `${username}@example.org`, factors: [NAME], ...more }]);
  expect(line).toMatchObject({ result: 'created' });
  return String(line?.['id']);
}

const toFactors = async (id: string) => (await operator.call('GET', `/accounts/${id}`)).json['factors'];

describe('codes by e-mail', () => {
  it('[OPR-11] are shown by their name and in words', async () => {
    const id = await importAccount('shown.person');
    expect(await toFactors(id)).toEqual({
      totp: false,
      security_keys: 0,
      recovery_codes_left: 0,
      all: [{ name: NAME, label: 'codes by e-mail', count: 1, entries: [expect.objectContaining({ id: null, name: null })] }],
    });
    expect((await foyer('account show shown.person')).out).toMatch(/\nFactors +codes by e-mail\n/);
  });

  it('are exported and imported by their name', async () => {
    const lines = parseLines((await operator.call('GET', '/exports')).text);
    const line = lines.find(({ username }) => username === 'shown.person');
    expect(line).toMatchObject({ factors: [NAME] });
    const other = await startTestOperator();
    try {
      expect(await importer(() => other).importLines([{ ...line }])).toEqual([expect.objectContaining({ result: 'created' })]);
      const [back] = parseLines((await other.call('GET', '/exports')).text);
      expect(back).toEqual(line);
    } finally {
      await other.close();
    }
  });

  it('remain with an account without an address, so that nobody loses a second factor by moving', async () => {
    const id = await importAccount('bare.person', { email: null });
    expect(await toFactors(id)).toMatchObject({ all: [{ name: NAME, count: 1 }] });
  });

  it('are the only name that the list of a line may contain', async () => {
    for (const name of ['carrier-pigeon', 'totp', 'recovery', '']) {
      const [line] = await importLines([{ username: 'strange.person', email: 'strange@example.org', factors: [name] }]);
      expect(line).toMatchObject({ result: 'invalid', field: 'factors' });
    }
  });

  it('are named by a text, not by a list or an object that reads like it', async () => {
    for (const name of [[NAME], { name: NAME }, 7]) {
      const [line] = await importLines([{ username: 'strange.person', email: 'strange@example.org', factors: [name] }]);
      expect(line).toMatchObject({ result: 'invalid', error: 'wrong_type', field: 'factors' });
    }
  });

  it('are not imported for an address that nobody has confirmed', async () => {
    const id = await importAccount('moving.person');
    const change = (body: object) => operator.call('PATCH', `/accounts/${id}`, body);
    const email = 'elsewhere@example.org';
    expectError(await change({ email }), 409, 'email_is_factor', 'email');
    expectError(await change({ email, email_verified: false }), 409, 'email_is_factor', 'email');
    expect((await change({ email: 'moving.person@example.org', display_name: 'Somebody' })).status).toBe(200);
    expect((await change({ email: null })).status).toBe(200);
    expectError(await change({ email }), 409, 'email_is_factor', 'email');
    expectError(await change({ email_verified: true }), 422, 'missing', 'email');
    expect((await foyer(`account update moving.person --email ${email}`)).code).toBe(4);
    expect((await foyer(`account update moving.person --email ${email} --email-verified`)).code).toBe(0);
    expect((await operator.call('GET', `/accounts/${id}`)).json).toMatchObject({ email, email_verified: true });
    expect(await toFactors(id)).toMatchObject({ all: [{ name: NAME, count: 1 }] });
  });
});
