/** Passwords according to NIST SP 800-63B-4: 8 characters beside a second factor, 15 alone (VAL-1). */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PasswordRules } from '../../src/accounts/password/password-rules.js';
import { SetPassword } from '../../src/accounts/password/set-password.js';
import { PATHS } from '../../src/contract/paths.js';
import { PASSWORD, startTestGateway, type TestGateway } from '../support/gateway.js';
import { ManageUser } from '../support/manage.js';
import { PasskeyStory } from '../support/passkeys.js';
import { SecondStepStory } from '../support/second-step.js';

const EIGHT = 'ahorn 7z';
const FIFTEEN = 'ahorn silber 7z';
let gateway: TestGateway;
let story: SecondStepStory;

beforeAll(async () => {
  gateway = await startTestGateway({
    config: ({ password }) => ({ password: { ...password, minLength: 8, minLengthAlone: 15 } }),
  });
  story = new SecondStepStory(gateway);
});
afterAll(() => gateway.close());

const toFields = (newPassword: string) => ({ password: PASSWORD, newPassword, newPasswordRepeat: newPassword });

describe('a new password', () => {
  it('[VAL-1] [VAL-3] [D1] needs 15 characters if it is the only factor, and the page says so', async () => {
    const user = await ManageUser.enter(gateway, { fresh: true });
    const { manage_password: page } = await user.page(PATHS.managePassword, 'manage_password');
    expect(page.rules.min_length).toBe(15);
    const short = await user.post(PATHS.managePassword, toFields(EIGHT));
    expect(short.state('manage_password').manage_password).toMatchObject({ reasons: ['too-short'] });
    expect((await user.post(PATHS.managePassword, toFields(FIFTEEN))).status).toBe(303);
  });

  it('[VAL-1] [VAL-3] needs 8 beside a second factor', async () => {
    const { account } = await story.createPerson();
    const user = await ManageUser.enter(gateway, { account });
    const now = gateway.clock.now();
    await gateway.database.db.updateTable('manage_session').set({ proven_at: now, factor_proven_at: now }).execute();
    const { manage_password: page } = await user.page(PATHS.managePassword, 'manage_password');
    expect(page.rules.min_length).toBe(8);
    expect((await user.post(PATHS.managePassword, toFields(EIGHT))).status).toBe(303);
  });

  it('[VAL-1] needs 15 beside a passkey, which is not asked for after it', async () => {
    const { account } = await new PasskeyStory(gateway).createHolder();
    expect(await gateway.get(SetPassword).findAccountFaults(account, EIGHT)).toEqual(['too-short']);
  });

  it('[VAL-1] needs 8 if a second factor is required of the account', async () => {
    const setPassword = gateway.get(SetPassword);
    const free = await gateway.account('nist.free');
    const bound = await gateway.account('nist.bound', { secondFactor: 'required' });
    expect(await setPassword.findAccountFaults(free, EIGHT)).toEqual(['too-short']);
    expect(await setPassword.findAccountFaults(bound, EIGHT)).toEqual([]);
    expect(await gateway.get(PasswordRules).findFaults(EIGHT, 'somebody.new')).toEqual(['too-short']);
  });
});
