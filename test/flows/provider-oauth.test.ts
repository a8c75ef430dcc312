/** Signing in at a provider that is not an OpenID provider, over HTTP (PRV-6). */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Accounts } from '../../src/accounts/account/accounts.js';
import { ExternalIdentities } from '../../src/accounts/identities/external-identities.js';
import { PATHS } from '../../src/contract/paths.js';
import { ConfiguredIdentityProviders } from '../../src/providers/configured-identity-providers.adapter.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { OAuthStandIn } from '../support/oauth-stand-in.js';
import { toCallback } from '../support/provider-story.js';
import { TestClock } from '../support/test-clock.js';

const PROVISION = {
  username: 'preferred_username',
  displayName: 'name',
  email: 'email',
  emailVerified: true,
  groupName: false,
  attributes: {},
} as const;

let standIn: OAuthStandIn;
let gateway: TestGateway;
let count = 0;

beforeAll(async () => {
  standIn = await OAuthStandIn.start();
  const providers = [standIn.settings('github', { provision: PROVISION }), standIn.settings('discord', { id: 'chat' })];
  const identityProviders = new ConfiguredIdentityProviders({
    providers,
    clock: new TestClock(),
    onFailure: () => undefined,
    timeoutMs: 30_000,
  });
  gateway = await startTestGateway({ identityProviders, config: () => ({ providers }) });
});
afterAll(async () => {
  await gateway.close();
  await standIn.close();
});

async function signIn(id: string, type: 'github' | 'discord') {
  const browser = gateway.browser({ 'accept-language': 'en' });
  const challenge = `oauth-${(count += 1)}`;
  gateway.hydra.addLogin({ challenge });
  const start = await browser.get(`${PATHS.login}/${id}?login_challenge=${challenge}`);
  const callback = new URLSearchParams(standIn.agree(type, start.location ?? '')).toString();
  return { challenge, callback, browser, answer: await browser.get(`${toCallback(id)}?${callback}`) };
}

const findAccepted = (challenge: string) =>
  gateway.hydra.calls.flatMap((call) => (call.call === 'acceptLogin' && call.challenge === challenge ? [call] : []));

describe('[PRV-6] a provider that is not an OpenID provider', () => {
  it('gives an account to an unknown person, and signs in to it again', async () => {
    standIn.users.set('github', { id: 583231, login: 'octo-cat', name: 'Maria Musterfrau' });
    standIn.emails.set('github', [{ email: 'maria@github.example', primary: true, verified: true }]);
    const first = await signIn('github', 'github');
    expect(first.answer.status).toBe(303);
    const account = await gateway.get(Accounts).findByUsername('octo-cat');
    expect(account).toMatchObject({ displayName: 'Maria Musterfrau', email: 'maria@github.example', emailVerified: true });
    const again = await signIn('github', 'github');
    expect(findAccepted(again.challenge)).toMatchObject([{ authentication: { subject: account?.id, amr: ['fed'] } }]);
    expect(await gateway.get(ExternalIdentities).list(account?.id ?? '')).toMatchObject([
      { provider: 'github', issuer: standIn.url, subject: '583231', label: 'Maria Musterfrau' },
    ]);
    for (const token of standIn.tokens) expect(JSON.stringify(gateway.logLines)).not.toContain(token);
  });

  it('answers a callback once, and connects nobody by name or address', async () => {
    await gateway.account('discord.maria', { email: 'maria@discord.example', emailVerified: true });
    standIn.users.set('discord', {
      id: '80351110224678912',
      username: 'discord.maria',
      email: 'maria@discord.example',
      verified: true,
    });
    const { answer, browser, callback, challenge } = await signIn('chat', 'discord');
    expect([answer.status, answer.state('login').login]).toMatchObject([422, { error: 'credentials', provider: 'Discord' }]);
    expect((await browser.get(`${toCallback('chat')}?${callback}`)).status).toBe(422);
    expect(findAccepted(challenge)).toEqual([]);
  });

  it('shows the login page where the provider refuses or does not answer', async () => {
    standIn.replaced.set('user', { status: 401, body: {} });
    const { answer } = await signIn('chat', 'discord');
    expect([answer.status, answer.state('login').login.error]).toEqual([422, 'provider-refused']);
    standIn.replaced.set('user', { status: 503, body: {} });
    const later = await signIn('chat', 'discord');
    expect([later.answer.status, later.answer.state('login').login.error]).toEqual([503, 'provider-down']);
    standIn.replaced.clear();
  });
});
