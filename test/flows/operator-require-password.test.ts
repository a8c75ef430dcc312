/** How an operator requires a new password, over the API and with the command line. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestOperator, type TestOperator } from '../support/operator.js';
import { commandLine, expectError, operatorSteps } from '../support/operator-story.js';

const PASSWORD = 'kupfer linde 4821';

let operator: TestOperator;
const { createAccount, findKinds } = operatorSteps(() => operator);
const foyer = commandLine(() => operator);

beforeAll(async () => {
  operator = await startTestOperator();
});

afterAll(() => operator.close());

const require = (id: string) => operator.call('POST', `/accounts/${id}/require-password-change`);
const readRequired = async (id: string) => (await operator.call('GET', `/accounts/${id}`)).json['required_password'];

describe('[TSK-6] a new password', () => {
  it('is required once, shown with its time, and recorded in the audit log', async () => {
    const { id } = await createAccount({ password: PASSWORD });
    expect(await readRequired(id)).toBeNull();
    expect((await require(id)).json).toMatchObject({ id, was_required: false });
    expect((await require(id)).json).toMatchObject({ id, was_required: true });
    expect(await readRequired(id)).toEqual({ reason: 'operator', since: expect.stringMatching(/Z$/) });
    const required = (await findKinds(id)).filter((kind) => JSON.stringify(kind).includes('change-required'));
    expect(required).toEqual([['password.change-required', { cause: 'operator' }]]);
  });

  it('cannot be required of an account that has none', async () => {
    const { id } = await createAccount();
    expectError(await require(id), 409, 'no_password', 'password');
    expect(await readRequired(id)).toBeNull();
  });

  it('cannot be required of a person whose password is at a source', async () => {
    const { id } = await createAccount({ password: PASSWORD });
    const now = operator.clock.now();
    const row = { account_id: id, source: 'staff', subject: 'uid=anna', profile: '', connected_at: now, seen_at: now };
    await operator.database.db.insertInto('source_account').values(row).execute();
    expectError(await require(id), 409, 'password_elsewhere', 'password');
  });

  it('is required with the command line', async () => {
    const { id, username } = await createAccount({ password: PASSWORD });
    const out = `${username} has to choose a new password at the next sign-in with the password.\n`;
    expect(await foyer(`account require-password-change ${username}`)).toEqual({ code: 0, out, err: '' });
    expect((await foyer(`account require-password-change ${id}`)).out).toContain('already had to choose');
    expect((await foyer(`account show ${username}`)).out).toMatch(/New password +required since .* by an operator/);
  });
});
