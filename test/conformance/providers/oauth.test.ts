/** Providers that are not OpenID providers: right and refused sign-ins, hostile and broken answers of each. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { OAUTH_DEFAULTS, OAUTH_TYPES, type OAuthType } from '../../../src/config/provider-presets.js';
import type { ProviderSettings } from '../../../src/config/config.js';
import type { ExternalIdentity } from '../../../src/providers/identity-providers.port.js';
import {
  ConfiguredIdentityProviders,
  type ProviderFailure,
} from '../../../src/providers/configured-identity-providers.adapter.js';
import { ProviderCancelled, ProviderRefused, ProviderUnavailable } from '../../../src/providers/provider.errors.js';
import { CLIENT_SECRET, OAuthStandIn, type StandInAnswer } from '../../support/oauth-stand-in.js';
import { toRedirectUri } from '../../support/provider-installation.js';
import { TestClock } from '../../support/test-clock.js';

const STATE = 'c3RhdGUtb2YtdGhlLXRlc3QtMDEyMzQ1Njc4OWFiY2Q';
const PROVISION = {
  username: 'preferred_username',
  displayName: 'name',
  email: 'email',
  emailVerified: true,
  groupName: false,
  attributes: {},
} as const;

/** What the user APIs answer, and the identity that they describe. */
const PEOPLE: Readonly<
  Record<
    OAuthType,
    { user: Record<string, unknown>; emails?: unknown; subject: string; label: string; email?: string; verified?: boolean }
  >
> = {
  github: {
    user: { id: 583231, login: 'octocat', name: 'Maria Musterfrau', email: 'shown@everywhere.example' },
    emails: [
      { email: 'second@github.example', primary: false, verified: true, visibility: null },
      { email: 'maria@github.example', primary: true, verified: true, visibility: 'private' },
    ],
    ...{ subject: '583231', label: 'Maria Musterfrau', email: 'maria@github.example', verified: true },
  },
  facebook: {
    user: { id: '10220000000000001', name: 'Maria Musterfrau', email: 'maria@facebook.example' },
    ...{ subject: '10220000000000001', label: 'Maria Musterfrau', email: 'maria@facebook.example', verified: false },
  },
  discord: {
    user: { id: '80351110224678912', username: 'maria', global_name: 'Maria', email: 'maria@discord.example', verified: true },
    ...{ subject: '80351110224678912', label: 'Maria', email: 'maria@discord.example', verified: true },
  },
  x: {
    user: { data: { id: '2244994945', name: 'Maria', username: 'maria_m' } },
    ...{ subject: '2244994945', label: 'Maria' },
  },
  bitbucket: {
    user: { type: 'user', uuid: '{d301aafa-d676-4ee0-a3f1-8b94c681feaa}', display_name: 'Maria', nickname: 'maria.m' },
    emails: { values: [{ email: 'maria@bitbucket.example', is_primary: true, is_confirmed: true }] },
    ...{ subject: '{d301aafa-d676-4ee0-a3f1-8b94c681feaa}', label: 'Maria', email: 'maria@bitbucket.example', verified: true },
  },
};

let standIn: OAuthStandIn;
const failures: ProviderFailure[] = [];

beforeAll(async () => {
  standIn = await OAuthStandIn.start();
});
afterAll(() => standIn.close());
beforeEach(() => {
  failures.length = 0;
  standIn.replaced.clear();
  standIn.calls.length = 0;
  for (const type of OAUTH_TYPES) {
    standIn.users.set(type, PEOPLE[type].user);
    standIn.emails.set(type, PEOPLE[type].emails);
  }
});

function build(type: OAuthType, change: Partial<ProviderSettings> = {}, timeoutMs = 30_000): ConfiguredIdentityProviders {
  const providers = [standIn.settings(type, change)];
  return new ConfiguredIdentityProviders({
    providers,
    clock: new TestClock(),
    onFailure: (one) => void failures.push(one),
    timeoutMs,
  });
}

async function signIn(
  type: OAuthType,
  change: Partial<ProviderSettings> = {},
  {
    timeoutMs,
    answer = (right) => right,
  }: { timeoutMs?: number; answer?: (right: Record<string, string>) => Record<string, string> } = {},
): Promise<ExternalIdentity> {
  const adapter = build(type, change, timeoutMs);
  const { url, transaction } = await adapter.begin({ provider: type, redirectUri: toRedirectUri(type), state: STATE });
  return adapter.finish(transaction, new URLSearchParams(answer(standIn.agree(type, url))));
}

describe.each(OAUTH_TYPES)('[PRV-6] %s', (type) => {
  const { subject, label, email, verified } = PEOPLE[type];

  it('proves who the person is, and keeps no token', async () => {
    const identity = await signIn(type);
    expect(identity).toEqual({
      ...{ provider: type, issuer: standIn.url, subject, label },
      ...{ authTime: null, isProvenNow: false, isAdmitted: true },
    });
    expect(JSON.stringify(identity)).not.toContain(standIn.tokens.at(-1));
    expect(standIn.calls.some((path) => path.endsWith('/emails'))).toBe(false);
  });

  it('describes people who get an account, with an address that is verified only if the provider says so', async () => {
    const { person } = await signIn(type, { provision: PROVISION });
    expect(person).toMatchObject({ subject, displayName: label, emailVerified: verified ?? false, isActive: true });
    expect(person?.email).toBe(email);
    expect((await signIn(type, { provision: { ...PROVISION, emailVerified: false } })).person?.emailVerified).toBe(false);
  });

  it('does not depend on an address', async () => {
    const { email: _, ...rest } = PEOPLE[type].user;
    standIn.users.set(type, rest);
    standIn.emails.delete(type);
    const { person } = await signIn(type, { provision: PROVISION });
    expect([person?.email, person?.emailVerified]).toEqual([undefined, false]);
  });

  it('is refused for a false state, a code that was used, another verifier or redirect URI, and an error', async () => {
    await expect(signIn(type, {}, { answer: (right) => ({ ...right, state: 'other' }) })).rejects.toThrow(ProviderRefused);
    await expect(signIn(type, {}, { answer: (right) => ({ ...right, code: 'guessed' }) })).rejects.toThrow(ProviderRefused);
    await expect(signIn(type, {}, { answer: () => ({ error: 'access_denied', state: STATE }) })).rejects.toThrow(
      ProviderCancelled,
    );
    await expect(signIn(type, {}, { answer: () => ({ error: 'invalid_scope', state: STATE }) })).rejects.toThrow(ProviderRefused);
    await expect(signIn(type, {}, { answer: (right) => ({ ...right, code: 'x'.repeat(9000) }) })).rejects.toThrow(
      ProviderRefused,
    );
    const adapter = build(type);
    const { url, transaction } = await adapter.begin({ provider: type, redirectUri: toRedirectUri(type), state: STATE });
    for (const change of [{ codeVerifier: 'a'.repeat(43) }, { redirectUri: toRedirectUri('other') }]) {
      const answer = new URLSearchParams(standIn.agree(type, url));
      await expect(adapter.finish({ ...transaction, ...change }, answer)).rejects.toThrow(ProviderRefused);
    }
    const answer = new URLSearchParams(standIn.agree(type, url));
    await adapter.finish(transaction, answer);
    await expect(adapter.finish(transaction, answer)).rejects.toThrow(ProviderRefused);
    expect(failures.at(-1)?.message).toBe('the token endpoint answers invalid_grant');
    expect(JSON.stringify(failures)).not.toMatch(/secret detail|guessed/);
  });

  it('accepts an `iss` of any value, because the redirect URI says which provider answers', async () => {
    expect((await signIn(type, {}, { answer: (right) => ({ ...right, iss: 'https://other.example' }) })).subject).toBe(subject);
  });

  it('is unavailable for a wrong secret, and says so in the log without the secret', async () => {
    const credential = { kind: 'secret', secret: 'wrong' } as const;
    await expect(signIn(type, { credential })).rejects.toThrow(ProviderUnavailable);
    expect(failures.at(-1)?.message).toMatch(/invalid_client|refuses the credentials/);
    expect(JSON.stringify(failures)).not.toContain(CLIENT_SECRET);
  });

  const broken: [string, StandInAnswer][] = [
    ['status 500', { status: 500, body: {} }],
    ['status 429', { status: 429, body: {} }],
    ['a redirect', { status: 302, location: 'http://169.254.169.254/', body: {} }],
    ['no JSON', { raw: '<html>' }],
    ['a huge answer', { raw: JSON.stringify({ id: 'x'.repeat(600_000) }) }],
  ];
  it.each(broken)('is unavailable for %s at each endpoint', async (_name, answer) => {
    for (const endpoint of ['token', 'user', ...(PEOPLE[type].emails ? (['emails'] as const) : [])] as const) {
      standIn.replaced.clear();
      standIn.replaced.set(endpoint, answer);
      await expect(signIn(type, { provision: PROVISION })).rejects.toThrow(ProviderUnavailable);
    }
  });

  it('is unavailable when it does not answer in time', async () => {
    for (const endpoint of ['token', 'user'] as const) {
      standIn.replaced.clear();
      standIn.replaced.set(endpoint, { hangs: true });
      await expect(signIn(type, {}, { timeoutMs: 150 })).rejects.toThrow(ProviderUnavailable);
      expect(failures.at(-1)?.message).toContain('no answer in time');
    }
  });

  it('is refused if the user API describes nobody', async () => {
    const hostile: unknown[] = [
      ...[{}, [], { data: [] }, { data: null }],
      ...['', 0, -1, 1.5, 2 ** 60, null, true, {}, ['1'], 'a b', 'ä', 'x'.repeat(256), '1\n'].map((id) => {
        const person = { id, uuid: id, name: 'Maria' };
        return { ...person, data: person };
      }),
    ];
    for (const body of hostile) {
      standIn.replaced.set('user', { body });
      await expect(signIn(type)).rejects.toThrow(ProviderRefused);
    }
    for (const status of [401, 403, 404]) {
      standIn.replaced.set('user', { status, body: { message: 'no' } });
      await expect(signIn(type)).rejects.toThrow(ProviderRefused);
    }
  });
});

describe('[PRV-6] an address', () => {
  it.each<[string, OAuthType, unknown]>([
    ['of GitHub that is not verified', 'github', [{ email: 'maria@github.example', primary: true, verified: false }]],
    ['of GitHub that is not the primary one', 'github', [{ email: 'maria@github.example', primary: false, verified: true }]],
    ['of GitHub with words in place of true', 'github', [{ email: 'maria@github.example', primary: 'true', verified: 'true' }]],
    ['of GitHub that is a list', 'github', [{ email: ['maria@github.example'], primary: true, verified: true }]],
    ['of GitHub in an object', 'github', { email: 'maria@github.example', primary: true, verified: true }],
    [
      'of Bitbucket that is not confirmed',
      'bitbucket',
      { values: [{ email: 'a@b.example', is_primary: true, is_confirmed: false }] },
    ],
  ])('%s is not taken', async (_name, type, emails) => {
    standIn.emails.set(type, emails);
    expect((await signIn(type, { provision: PROVISION })).person).toMatchObject({ emailVerified: false });
    expect((await signIn(type, { provision: PROVISION })).person?.email).toBeUndefined();
  });

  it('of Discord is verified only for `verified: true`, and never one of Facebook', async () => {
    for (const verified of [false, 'true', 1, undefined]) {
      standIn.users.set('discord', { ...PEOPLE.discord.user, verified });
      const { person } = await signIn('discord', { provision: PROVISION });
      expect([person?.email, person?.emailVerified]).toEqual([undefined, false]);
    }
    standIn.users.set('facebook', { ...PEOPLE.facebook.user, verified: true, email_verified: true });
    expect((await signIn('facebook', { provision: PROVISION })).person?.emailVerified).toBe(false);
  });

  it('does not come from other members of the answer, which settings reach below /user', async () => {
    standIn.users.set('github', { ...PEOPLE.github.user, preferred_username: 'admin', email_verified: true, company: '@haus' });
    const require = [{ claim: '/user/company', values: ['@haus'] }];
    expect(await signIn('github', { require, provision: PROVISION })).toMatchObject({
      isAdmitted: true,
      person: { username: 'octocat' },
    });
    const other = [{ claim: 'company', values: ['@haus'] }];
    expect(await signIn('github', { require: other })).toMatchObject({
      isAdmitted: false,
      unmetRequirements: ['company is missing'],
    });
  });
});

describe('[PRV-7] an address for an offer', () => {
  it.each(OAUTH_TYPES)('is known of %s only if it says that the address is verified', async (type) => {
    const { email, verified = false } = PEOPLE[type];
    expect((await signIn(type, { offersConnection: true })).verifiedEmail).toBe(verified ? email : undefined);
    expect((await signIn(type)).verifiedEmail).toBeUndefined();
  });
});

describe('[PRV-6] the real endpoints', () => {
  it.each<[OAuthType, string]>([
    ['github', 'https://github.com/login/oauth/authorize'],
    ['facebook', 'https://www.facebook.com/dialog/oauth'],
    ['discord', 'https://discord.com/oauth2/authorize'],
    ['x', 'https://x.com/i/oauth2/authorize'],
    ['bitbucket', 'https://bitbucket.org/site/oauth2/authorize'],
  ])('of %s are used without an issuer', async (type, address) => {
    const adapter = build(type, { issuer: OAUTH_DEFAULTS[type].issuer });
    const { url } = await adapter.begin({ provider: type, redirectUri: toRedirectUri(type), state: STATE });
    expect(url.split('?')[0]).toBe(address);
  });
});
