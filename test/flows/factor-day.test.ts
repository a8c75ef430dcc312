/** A second factor that is required from a day on (`MFA_REQUIRED_FROM`), and the set-up that may be postponed until then. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Accounts, type Account } from '../../src/accounts/account/accounts.js';
import { SetPassword } from '../../src/accounts/password/set-password.js';
import { PATHS } from '../../src/contract/paths.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { ManageUser } from '../support/manage.js';
import { PasskeyStory } from '../support/passkeys.js';
import { SecondStepStory, type Waiting } from '../support/second-step.js';
import type { TestPage } from '../support/test-browser.js';
import { TwoTabsStory } from '../support/two-tabs.js';

const DUE = new Date('2026-12-08T00:00:00Z');

let gateway: TestGateway;
let story: SecondStepStory;
let count = 0;

beforeAll(async () => {
  gateway = await startTestGateway({
    config: ({ mfa, password }) => ({
      mfa: { ...mfa, policy: 'required', requiredFrom: DUE },
      password: { ...password, minLength: 8, minLengthAlone: 15 },
    }),
  });
  gateway.clock.advanceSeconds((Date.parse('2026-12-07T12:00:00Z') - gateway.clock.now().getTime()) / 1000);
  story = new SecondStepStory(gateway);
});

afterAll(() => gateway.close());

const createPerson = (): Promise<Account> => gateway.account(`without.${(count += 1)}`);
const postpone = ({ browser, fields }: Waiting): Promise<TestPage> =>
  browser.post(PATHS.mfaVerify, { ...fields, proceed: 'later' });

function askAgain(account: Account, sessionId: string, requestUrl = gateway.hydra.requestUrl({})): string {
  const challenge = `again-${(count += 1)}`;
  gateway.hydra.addLogin({ challenge, subject: account.id, sessionId, skip: true, requestUrl });
  return `${PATHS.login}?login_challenge=${challenge}`;
}

describe('[TSK-34] a second factor before its day', () => {
  it('is offered, and postponed until the next sign-in, with a truthful acr', async () => {
    const account = await createPerson();
    const sessionId = `session-${(count += 1)}`;
    const waiting = await story.reachStep(account, { sessionId });
    expect(waiting.state).toMatchObject({ view: 'enrol', later_until: DUE.toISOString(), enrol_token: expect.any(String) });
    const [one, two] = await Promise.all([postpone(waiting), postpone(waiting)]);
    expect([one.location, two.location]).toEqual([one.location, one.location]);
    expect(one.location).toContain('login_verifier=');
    expect(story.findAccepted(waiting.challenge)).toMatchObject([{ authentication: { acr: 'urn:foyer:acr:pwd', amr: ['pwd'] } }]);
    expect((await waiting.browser.get(askAgain(account, sessionId))).location).toContain('login_verifier=');
    expect((await story.reachStep(account)).state.later_until).toBe(DUE.toISOString());
  });

  it('cannot be postponed where the app requires one', async () => {
    const waiting = await story.reachStep(await createPerson(), { acrValues: ['urn:foyer:acr:mfa'] });
    expect(waiting.state.view).toBe('enrol');
    expect(waiting.state).not.toHaveProperty('later_until');
    const answer = await postpone(waiting);
    expect([answer.status, answer.state('mfa_verification').mfa_verification.view]).toEqual([422, 'enrol']);
    expect(story.findAccepted(waiting.challenge)).toEqual([]);
  });

  it('does not replace a factor or passkey that the account has', async () => {
    const { account } = await story.createPerson();
    const waiting = await story.reachStep(account);
    expect(waiting.state).not.toHaveProperty('later_until');
    expect((await postpone(waiting)).status).toBe(422);
    expect(story.findAccepted(waiting.challenge)).toEqual([]);
    const passkey = await new PasskeyStory(gateway).createHolder();
    const opened = await story.openLogin();
    expect((await story.signIn(opened.browser, opened.fields, passkey.account)).location).toContain('login_verifier=');
  });

  it('is postponed in the older of two tabs too', async () => {
    const tabs = new TwoTabsStory(gateway);
    const browser = gateway.browser();
    const older = await tabs.openOlder(browser);
    await tabs.submit(browser, older, await createPerson());
    const left = await postpone(await story.openStep(browser, older.challenge));
    expect(left.location).toBe(older.requestUrl);
    expect((await tabs.openAgain(browser, older.requestUrl)).location).toContain('login_verifier=');
  });

  it('is announced in the account area, unless the account is exempted', async () => {
    const account = await gateway.account(`without.${(count += 1)}`, { secondFactor: 'optional' });
    const user = await ManageUser.enter(gateway, { account, fresh: true });
    const readAnnounced = async () => (await user.page(PATHS.manage, 'manage')).manage.factor_required;
    expect(await readAnnounced()).toBeUndefined();
    await gateway.get(Accounts).update(account.id, { secondFactor: null });
    expect(await readAnnounced()).toEqual({ later_until: DUE.toISOString() });
  });

  it('is announced to the owner of a passkey only where passkeys are turned off', async () => {
    const { account } = await new PasskeyStory(gateway).createHolder();
    const user = await ManageUser.enter(gateway, { account, fresh: true });
    const readAnnounced = async () => (await user.page(PATHS.manage, 'manage')).manage.factor_required;
    expect(await readAnnounced()).toBeUndefined();
    const { passkeys } = gateway.config;
    Object.assign(gateway.config, { passkeys: { ...passkeys, mode: 'off' } });
    try {
      expect((await story.reachStep(account)).state).toMatchObject({ view: 'enrol', later_until: DUE.toISOString() });
      expect(await readAnnounced()).toEqual({ later_until: DUE.toISOString() });
    } finally {
      Object.assign(gateway.config, { passkeys });
    }
  });

  it('[VAL-1] does not shorten a new password, which is the only factor until that day', async () => {
    const setPassword = gateway.get(SetPassword);
    expect(await setPassword.findAccountFaults(await createPerson(), 'ahorn 7z')).toEqual(['too-short']);
    expect(await setPassword.findFaults('ahorn 7z', 'somebody.new')).toEqual(['too-short']);
  });
});

describe('[TSK-34] a second factor from its day on', () => {
  it('is required, also of a page that is open and of a session', async () => {
    const account = await createPerson();
    const sessionId = `session-${(count += 1)}`;
    gateway.clock.advanceSeconds((DUE.getTime() - gateway.clock.now().getTime()) / 1000 - 300);
    const postponed = await story.reachStep(account, { sessionId });
    await postpone(postponed);
    const open = await story.reachStep(account);
    gateway.clock.advanceSeconds(300);
    const refused = await postpone(open);
    expect(refused.status).toBe(422);
    expect(refused.state('mfa_verification').mfa_verification).not.toHaveProperty('later_until');
    expect(story.findAccepted(open.challenge)).toEqual([]);
    const again = await postponed.browser.get(askAgain(account, sessionId));
    expect(new URL(again.location ?? '').searchParams.get('prompt')).toBe('login');
    await postponed.browser.get(askAgain(account, sessionId, gateway.hydra.requestUrl({ prompt: 'none' })));
    expect(gateway.hydra.calls.at(-1)).toMatchObject({ call: 'rejectLogin', rejection: { code: 'interaction_required' } });
  });

  it('[VAL-1] lets a new password have the length for accounts with a second factor', async () => {
    gateway.clock.advanceSeconds(Math.max(0, (DUE.getTime() - gateway.clock.now().getTime()) / 1000));
    expect(await gateway.get(SetPassword).findAccountFaults(await createPerson(), 'ahorn 7z')).toEqual([]);
  });
});
