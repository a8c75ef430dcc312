/** One identity, several accounts, over HTTP (ACC-1 … 4). */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Accounts, type Account } from '../../src/accounts/account/accounts.js';
import { ExternalIdentities } from '../../src/accounts/identities/external-identities.js';
import { SignInRecords } from '../../src/accounts/sessions/sign-in-records.js';
import { SetPassword } from '../../src/accounts/password/set-password.js';
import { randomToken } from '../../src/config/keys.js';
import type { AccountsState } from '../../src/contract/page-state.js';
import { PATHS } from '../../src/contract/paths.js';
import { FORM_PROVIDER, ProviderStory } from '../support/provider-story.js';
import { SecondStepStory, stepAddress } from '../support/second-step.js';
import type { TestBrowser, TestPage } from '../support/test-browser.js';

let story: ProviderStory;
let steps: SecondStepStory;

beforeAll(async () => {
  story = await ProviderStory.start();
  steps = new SecondStepStory(story.gateway);
});

afterAll(() => story.gateway.close());

interface Choosing {
  browser: TestBrowser;
  challenge: string;
  page: TestPage;
  state: AccountsState;
  fields: Record<string, string>;
}

const PROVIDER = 'microsoft';
const buildPath = (provider = PROVIDER) => `${PATHS.login}/${provider}${PATHS.providerAccount}`;

async function connectAll(accounts: readonly Account[], provider = PROVIDER): Promise<string> {
  const subject = randomToken(8);
  for (const account of accounts) await story.connect(account, subject, provider);
  return subject;
}

async function openChoice(
  subject: string,
  provider = PROVIDER,
  more: Parameters<ProviderStory['signIn']>[2] = {},
): Promise<Choosing> {
  const { answer, browser, challenge } = await story.signIn(subject, provider, more);
  const { accounts: state } = answer.state('accounts');
  const fields = { _xsrf: state.xsrf_token, login_challenge: state.login_challenge, token: state.token, ticket: state.ticket };
  return { browser, challenge, page: answer, state, fields };
}

const choose = ({ browser, fields }: Choosing, username: string, more: Record<string, string> = {}) =>
  browser.post(buildPath(), { ...fields, username, ...more });

describe('the selection', () => {
  it.each([PROVIDER, FORM_PROVIDER])('[ACC-1] [ACC-3] %s: shows how the accounts differ, and a link back', async (provider) => {
    const maria = await story.createPerson({ displayName: 'Maria Musterfrau', groupName: 'Privatkundin' });
    const house = await story.createPerson({ displayName: 'Hausverwaltung' });
    const { page, state, challenge } = await openChoice(await connectAll([maria, house], provider), provider);
    expect(page.status).toBe(200);
    expect(state).toMatchObject({
      accounts: [
        { id: maria.id, name: 'Maria Musterfrau', group_name: 'Privatkundin' },
        { id: house.id, name: 'Hausverwaltung', group_name: '' },
      ],
      login_challenge: challenge,
      provider: { id: provider },
    });
    expect(state.token).toMatch(/^[\w-]{43}$/);
    expect(page.html).toContain(`action="/login/${provider}/account"`);
    expect(page.html).toContain(`href="/login/native?login_challenge=${challenge}"`);
    expect(story.findAccepted(challenge)).toEqual([]);
  });

  it('[ACC-3] has a link back to the login page of the same request', async () => {
    const { browser, challenge } = await openChoice(await connectAll([await story.createPerson(), await story.createPerson()]));
    const back = await browser.get(`${PATHS.loginNative}?login_challenge=${challenge}`);
    expect(back.state('login').login).toMatchObject({ error: null, login_challenge: challenge });
    const reload = await browser.get(`${buildPath()}?login_challenge=${challenge}`);
    expect(reload.state('login').login.login_challenge).toBe(challenge);
  });

  it('[ACC-2] signs in as the chosen account, and offers it first the next time in this app', async () => {
    const [one, two] = [await story.createPerson(), await story.createPerson()];
    const subject = await connectAll([one, two]);
    const client = story.gateway.hydra.client();
    const first = await openChoice(subject);
    expect(first.state.accounts.map(({ id }) => id)).toEqual([one.id, two.id]);
    expect((await choose(first, two.id)).status).toBe(303);
    expect(story.findAccepted(first.challenge)).toMatchObject([{ authentication: { subject: two.id, amr: ['fed'] } }]);
    expect((await openChoice(subject)).state.accounts.map(({ id }) => id)).toEqual([two.id, one.id]);
    const elsewhere = await openChoice(subject, PROVIDER, { client: { ...client, id: 'another-app' } });
    expect(elsewhere.state.accounts.map(({ id }) => id)).toEqual([one.id, two.id]);
  });

  it('omits disabled accounts, and signs in the only one that remains', async () => {
    const [one, two] = [await story.createPerson(), await story.createPerson()];
    const subject = await connectAll([one, two]);
    await story.gateway.get(Accounts).setStatus(one.id, 'disabled');
    const { answer, challenge } = await story.signIn(subject, PROVIDER);
    expect(answer.status).toBe(303);
    expect(story.findAccepted(challenge)).toMatchObject([{ authentication: { subject: two.id } }]);
  });
});

describe('the token of the selection', () => {
  it('[S-15b] claims no challenge of a session, which only the browser of the session answers', async () => {
    const { browser, fields } = await openChoice(await connectAll([await story.createPerson(), await story.createPerson()]));
    const challenge = story.request({ skip: true, subject: (await story.createPerson()).id, sessionId: 'of-somebody-else' });
    const answer = await browser.post(buildPath(), { ...fields, login_challenge: challenge });
    expect([answer.status, answer.location]).toEqual([303, `${PATHS.login}?login_challenge=${challenge}`]);
    const record = await story.gateway.get(SignInRecords).find({ challenge, browser: randomToken() });
    expect(record.state).toBe('new');
  });

  it('[ACC-4] works once, and a double click still finishes once', async () => {
    const [one, two] = [await story.createPerson(), await story.createPerson()];
    const choice = await openChoice(await connectAll([one, two]));
    const answers = await Promise.all([choose(choice, one.id), choose({ ...choice, browser: choice.browser.twin() }, one.id)]);
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    expect(new Set(answers.map(({ location }) => location)).size).toBe(1);
    expect(story.findAccepted(choice.challenge)).toHaveLength(1);
    const again = await choose(choice, two.id);
    expect(again.status).not.toBe(303);
    expect(story.findAccepted(choice.challenge)).toHaveLength(1);
  });

  it('[ACC-2] [ACC-4] is not answered with the first account after a click on another one', async () => {
    const [one, two] = [await story.createPerson(), await story.createPerson()];
    const choice = await openChoice(await connectAll([one, two]));
    // The second click is sent before the browser has the answer to the first one.
    const second = { ...choice, browser: choice.browser.clone() };
    expect((await choose(choice, one.id)).status).toBe(303);
    const answer = await choose(second, two.id);
    expect([answer.status, answer.state('login').login.challenge_fault]).toEqual([400, 'used']);
    expect(story.findAccepted(choice.challenge)).toMatchObject([{ authentication: { subject: one.id } }]);
  });

  it('[ACC-4] belongs to its browser, its request and its provider', async () => {
    const [one, two] = [await story.createPerson(), await story.createPerson()];
    const subject = await connectAll([one, two]);
    const choice = await openChoice(subject);
    const other = await openChoice(subject);
    const { token } = choice.state;
    expect((await choose(other, one.id, { token })).state('login').login.error).toBe('provider-refused');
    const sameBrowser = await openChoice(subject, PROVIDER, { browser: choice.browser });
    const mixed = await choose(sameBrowser, one.id, { token });
    expect(mixed.state('login').login.error).toBe('provider-refused');
    const elsewhere = await choice.browser.post(buildPath('google'), { ...choice.fields, username: one.id });
    expect(elsewhere.state('login').login.error).toBe('provider-refused');
    expect(story.findAccepted(choice.challenge)).toEqual([]);
    expect((await choose(choice, one.id)).status).toBe(303);
  });

  it('[ACC-4] is used up by an id outside of its set, which is refused', async () => {
    const [one, two, stranger] = [await story.createPerson(), await story.createPerson(), await story.createPerson()];
    const subject = await connectAll([one, two]);
    for (const id of [stranger.id, '', '__proto__', one.username, one.id.toUpperCase()]) {
      const choice = await openChoice(subject);
      expect([id, (await choose(choice, id)).status]).toEqual([id, 403]);
      expect((await choose(choice, one.id)).status).toBe(422);
      expect(story.findAccepted(choice.challenge)).toEqual([]);
    }
  });

  it('[ACC-4] expires after ten minutes, and no other text is valid', async () => {
    const [one, two] = [await story.createPerson(), await story.createPerson()];
    const choice = await openChoice(await connectAll([one, two]));
    expect((await choose(choice, one.id, { token: 'x'.repeat(43) })).status).toBe(422);
    story.gateway.clock.advanceSeconds(601);
    const late = await choose(choice, one.id);
    expect([late.status, late.state('login').login.error]).toEqual([422, 'provider-refused']);
    expect(story.findAccepted(choice.challenge)).toEqual([]);
  });
});

describe('the chosen account', () => {
  it('[ACC-4] [S-58] needs its own second factor', async () => {
    const { account } = await steps.createPerson();
    const choice = await openChoice(await connectAll([account, await story.createPerson()]));
    expect((await choose(choice, account.id)).location).toBe(stepAddress(choice.challenge));
    expect(story.findAccepted(choice.challenge)).toEqual([]);
  });

  it('[ACC-4] [S-44] is checked again: if it was disabled, disconnected or got another password, it is refused', async () => {
    const ends: ((account: Account) => Promise<unknown>)[] = [
      ({ id }) => story.gateway.get(Accounts).setStatus(id, 'disabled'),
      ({ id }) => story.gateway.get(SetPassword).setPassword(id, 'silber ahorn 7733'),
      ({ id: accountId }) =>
        story.gateway.get(ExternalIdentities).disconnect({
          accountId,
          provider: PROVIDER,
          providerName: 'x',
          auditContext: { actor: 'operator' },
          offeredMethods: null,
        }),
    ];
    for (const end of ends) {
      const account = await story.createPerson();
      const choice = await openChoice(await connectAll([account, await story.createPerson()]));
      await end(account);
      const answer = await choose(choice, account.id);
      expect([answer.status, answer.state('login').login.error]).toEqual([422, 'credentials']);
      expect(story.findAccepted(choice.challenge)).toEqual([]);
    }
  });

  it('is not signed in if the challenge has expired or was used by somebody else', async () => {
    const [one, two] = [await story.createPerson(), await story.createPerson()];
    const subject = await connectAll([one, two]);
    const dead = await openChoice(subject);
    story.gateway.hydra.expire(dead.challenge);
    expect((await choose(dead, one.id)).state('login').login).toMatchObject({ error: 'challenge', challenge_fault: 'expired' });
    const choice = await openChoice(subject);
    const stranger = story.gateway.browser();
    await stranger.get(PATHS.passwordRequestForm);
    const page = await stranger.get(`${PATHS.login}?login_challenge=${choice.challenge}`);
    expect(page.state('login').login).toMatchObject({ error: 'challenge', challenge_fault: 'foreign' });
  });
});
