import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DIALECT_IDS, type DialectId } from '../../../embedded/demo-providers/dialect.js';
import { PEOPLE, TENANTS } from '../../../embedded/demo-providers/people.js';
import type { ProviderSettings } from '../../../src/config/config.js';
import { ProviderCancelled, ProviderRefused, ProviderUnavailable } from '../../../src/providers/provider.errors.js';
import {
  chooseAtProvider,
  toRedirectUri,
  startProviderInstallation,
  type ProviderInstallation,
} from '../../support/provider-installation.js';

describe('sign-in at a provider', () => {
  let installation: ProviderInstallation;

  beforeAll(async () => {
    installation = await startProviderInstallation();
  });
  afterAll(() => installation.close());
  beforeEach(() => {
    for (const id of DIALECT_IDS) installation.demoProviders.setFault(id, null);
    installation.failures.length = 0;
  });

  it('[PRV-1] lists the configured providers in order, without a call to them', async () => {
    const fresh = installation.adapter();
    expect(fresh.list().map(({ id, brand, responseMode }) => [id, brand, responseMode])).toEqual([
      ['google', 'google', 'query'],
      ['microsoft', 'microsoft', 'query'],
      ['apple', 'apple', 'form_post'],
      ['company', null, 'query'],
    ]);
    expect(fresh.find('github')).toBeNull();
    expect(installation.demoProviders.calls('google', 'metadata')).toBe(0);
  });

  it.each(DIALECT_IDS)(
    '[PRV-3] %s: state, nonce and PKCE are new in every request, and no e-mail address is asked for',
    async (id) => {
      const [one, other] = [await installation.begin(id), await installation.begin(id)];
      const query = new URL(one.url).searchParams;
      expect(query.get('state')).toBe(one.transaction.state);
      expect(query.get('nonce')).toBe(one.transaction.nonce);
      expect(query.get('code_challenge_method')).toBe('S256');
      expect(query.get('redirect_uri')).toBe(toRedirectUri(id));
      expect(query.get('response_mode')).toBe(id === 'apple' ? 'form_post' : null);
      expect(query.get('scope')).toBe(id === 'apple' ? 'name' : 'openid profile');
      expect(one.url).not.toContain(one.transaction.codeVerifier);
      expect(one.transaction.nonce).not.toBe(other.transaction.nonce);
      expect(one.transaction.codeVerifier).not.toBe(other.transaction.codeVerifier);
    },
  );

  it.each<[DialectId, string, string, string | null]>([
    ['google', '/google', PEOPLE[0]!.google.sub, 'Maria Musterfrau'],
    ['microsoft', `/microsoft/${TENANTS.musterwerk}/v2.0`, '', 'Maria Musterfrau (maria@musterwerk.example)'],
    ['apple', '/apple', PEOPLE[0]!.apple.sub, 'Maria Musterfrau'],
    ['company', '/company/', PEOPLE[0]!.company.sub, 'Maria Musterfrau'],
  ])('[PRV-1] [PRV-3] %s: proves the identity as issuer and subject', async (id, issuer, subject, label) => {
    installation.demoProviders.forgetConsents(id);
    const identity = await installation.signIn(id);
    expect(identity).toMatchObject({ provider: id, issuer: installation.demoProviders.url + issuer, label });
    if (subject !== '') expect(identity.subject).toBe(subject);
    expect(await installation.signIn(id, 'nora')).not.toMatchObject({ subject: identity.subject });
    const again = await installation.signIn(id, 'maria', installation.adapter());
    expect([again.issuer, again.subject]).toEqual([identity.issuer, identity.subject]);
    expect(installation.failures).toEqual([]);
  });

  it.each(DIALECT_IDS)('[PRV-4] %s: a person who declines has cancelled the sign-in', async (id) => {
    await expect(installation.signIn(id, null)).rejects.toThrow(ProviderCancelled);
    expect(installation.failures).toEqual([]);
  });

  it('Apple’s metadata are not requested, because their issuer once changed and that of the tokens did not', async () => {
    installation.demoProviders.setFault('apple', 'metadata-issuer');
    await expect(installation.signIn('apple', 'maria', installation.adapter())).resolves.toMatchObject({
      issuer: `${installation.demoProviders.url}/apple`,
    });
    expect(installation.demoProviders.calls('apple', 'metadata')).toBe(0);
  });

  it('Apple gives the name only at the first consent', async () => {
    installation.demoProviders.forgetConsents('apple');
    expect((await installation.signIn('apple', 'jonas')).label).toBe('Jonas Beispiel');
    expect((await installation.signIn('apple', 'jonas')).label).toBeNull();
  });

  it.each<[string, string | null]>([
    ['{"name":{"firstName":"<script>","lastName":"A\\u202eB\\u0000"},"email":"victim@example.com"}', '<script> AB'],
    ['{"email":"victim@example.com"}', null],
    ['{"name":"x"}', null],
    ['{"name":{"firstName":{"a":1},"lastName":["b"]}}', null],
    ['null', null],
    ['[]', null],
    ['{', null],
    [`{"name":{"firstName":"${'x'.repeat(900)}"}}`, 'x'.repeat(200)],
    [`{"name":{"firstName":"${'x'.repeat(9000)}"}}`, null],
  ])('[S-73b] the name that Apple sends beside the code is only displayed (%#)', async (user, label) => {
    const { url, transaction } = await installation.begin('apple');
    const answer = await chooseAtProvider(url, 'maria');
    answer.set('user', user);
    expect(await installation.providers.finish(transaction, answer)).toMatchObject({ subject: PEOPLE[0]!.apple.sub, label });
  });

  it('[S-73b] an ID token beside the code or instead of it is not accepted', async () => {
    const { url, transaction } = await installation.begin('apple');
    const answer = await chooseAtProvider(url, 'maria');
    answer.set('id_token', 'eyJhbGciOiJub25lIn0.e30.');
    await expect(installation.providers.finish(transaction, answer)).rejects.toThrow(ProviderRefused);
    answer.delete('code');
    await expect(installation.providers.finish(transaction, answer)).rejects.toThrow(ProviderRefused);
  });

  it('asks Google for the account and the language with its own parameters, Microsoft with its own, and Apple for neither', async () => {
    const asked = { chooseAccount: true, uiLocales: ['de', 'en'] };
    const google = new URL((await installation.begin('google', asked)).url).searchParams;
    expect([google.get('prompt'), google.get('hl'), google.get('ui_locales')]).toEqual(['select_account', 'de', null]);
    const microsoft = new URL((await installation.begin('microsoft', asked)).url).searchParams;
    expect([microsoft.get('prompt'), microsoft.get('ui_locales')]).toEqual(['select_account', 'de en']);
    expect(new URL((await installation.begin('apple', asked)).url).searchParams.get('prompt')).toBeNull();
  });

  it.each<[DialectId, string | null, string | null]>([
    ['google', 'select_account', '{"id_token":{"auth_time":{"essential":true}}}'],
    ['microsoft', 'login', null],
    ['apple', null, null],
    ['company', 'login', null],
  ])('[LOG-13] %s: requests the maximum age with the parameters of the provider', async (id, prompt, claims) => {
    const asked = { chooseAccount: true, reauthentication: { maxAgeSeconds: 300 } };
    const query = new URL((await installation.begin(id, asked)).url).searchParams;
    const maxAge = id === 'apple' ? null : '300';
    expect([query.get('prompt'), query.get('max_age'), query.get('claims')]).toEqual([prompt, maxAge, claims]);
  });

  it.each(DIALECT_IDS)(
    '[LOG-13] %s: distinguishes a new authentication from an earlier session and from an unknown time',
    async (id) => {
      const prove = async () => {
        const { url, transaction } = await installation.begin(id, { reauthentication: { maxAgeSeconds: 0 } });
        return installation.providers.finish(transaction, await chooseAtProvider(url, 'maria'));
      };
      const toAge = ({ authTime }: Awaited<ReturnType<typeof prove>>) =>
        installation.clock.now().getTime() - (authTime?.getTime() ?? Number.NaN);
      // The demo provider gives the time in whole seconds, and the clock advances meanwhile.
      const begun = Math.floor(installation.clock.now().getTime() / 1000) * 1000;
      const toSpentMs = () => installation.clock.now().getTime() - begun;
      const proven = await prove();
      expect(proven).toMatchObject({ isProvenNow: true });
      expect([toAge(proven) >= 0, toAge(proven) <= toSpentMs()]).toEqual([true, true]);
      installation.demoProviders.setFault(id, 'earlier-session');
      const earlier = await prove();
      const month = 30 * 24 * 3_600_000;
      expect(earlier).toMatchObject({ isProvenNow: false });
      expect([toAge(earlier) >= month, toAge(earlier) <= month + toSpentMs()]).toEqual([true, true]);
      installation.demoProviders.setFault(id, 'no-auth-time');
      expect(await prove()).toMatchObject({ authTime: null, isProvenNow: false });
    },
  );

  it('[LOG-13] a transaction of a version that did not store its start proves no new authentication', async () => {
    const { url, transaction } = await installation.begin('company', { reauthentication: { maxAgeSeconds: 0 } });
    const { begunAt: _, ...earlier } = transaction;
    expect(await installation.providers.finish(earlier, await chooseAtProvider(url, 'maria'))).toMatchObject({
      isProvenNow: false,
    });
  });

  it('Apple gets a new client secret before the old one expires', async () => {
    await installation.signIn('apple');
    for (const seconds of [2990, 20, 3500, 7 * 24 * 3600]) {
      installation.clock.advanceSeconds(seconds);
      await expect(installation.signIn('apple')).resolves.toMatchObject({ provider: 'apple' });
    }
  });

  it('a company may receive a signature instead of a secret', async () => {
    const withSigningKey =
      (privateKey: string) =>
      (settings: ProviderSettings): ProviderSettings => ({
        ...settings,
        credential: { kind: 'private-key', privateKey, keyId: 'one' },
      });
    await expect(
      installation.signIn('company', 'maria', installation.adapter(withSigningKey(installation.privateKey))),
    ).resolves.toMatchObject({
      provider: 'company',
    });
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const foreign = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    await expect(installation.signIn('company', 'maria', installation.adapter(withSigningKey(foreign)))).rejects.toThrow(
      ProviderUnavailable,
    );
  });

  it('a wrong client secret is reported as an outage, because the person cannot correct it', async () => {
    const withWrongSecret = (settings: ProviderSettings): ProviderSettings => ({
      ...settings,
      credential: { kind: 'secret', secret: 'x' },
    });
    await expect(installation.signIn('google', 'maria', installation.adapter(withWrongSecret))).rejects.toThrow(
      ProviderUnavailable,
    );
    expect(installation.failures).toEqual([
      expect.objectContaining({ message: expect.stringContaining('invalid_client') as unknown }),
    ]);
  });

  it('a provider that was removed in the meantime is refused', async () => {
    const { transaction } = await installation.begin('google');
    await expect(installation.providers.finish({ ...transaction, provider: 'github' }, new URLSearchParams())).rejects.toThrow(
      ProviderRefused,
    );
  });
});

describe("Microsoft's tenants", () => {
  let installation: ProviderInstallation;

  beforeAll(async () => {
    installation = await startProviderInstallation();
  });
  afterAll(() => installation.close());

  const signIn = (tenants: readonly string[], person: string): Promise<unknown> =>
    installation.signIn(
      'microsoft',
      person,
      installation.adapter((settings) => (settings.dialect === 'microsoft' ? { ...settings, tenants } : settings)),
    );

  it.each<[string, readonly string[], readonly string[]]>([
    ['one', [TENANTS.musterwerk], ['maria']],
    ['several', [TENANTS.musterwerk, TENANTS.beispielhaus], ['maria', 'nora']],
    ['one and personal ones', [TENANTS.musterwerk, TENANTS.personal], ['maria', 'jonas']],
    ['organizations', ['organizations'], ['maria', 'nora']],
    ['consumers', ['consumers'], ['jonas']],
    ['common', ['common'], ['maria', 'jonas', 'nora']],
  ])(
    '[PRV-3] %s: accepts only people of these tenants, each with the issuer of their own tenant',
    async (_name, tenants, taken) => {
      for (const { key, microsoft } of PEOPLE) {
        const signedIn = signIn(tenants, key);
        if (taken.includes(key)) {
          await expect(signedIn).resolves.toMatchObject({
            issuer: `${installation.demoProviders.url}/microsoft/${microsoft.tid}/v2.0`,
          });
        } else {
          // A provider with one tenant refuses the person itself; at a shared endpoint, Foyer refuses the tenant.
          await expect(signedIn).rejects.toThrow(/no tenant that the settings accept|access_denied/);
        }
      }
    },
  );

  it('[S-72] a token of one tenant that names another as its issuer is refused', async () => {
    installation.demoProviders.setFault('microsoft', 'other-tenant');
    await expect(signIn(['common'], 'maria')).rejects.toThrow(ProviderRefused);
    await expect(signIn([TENANTS.musterwerk], 'maria')).rejects.toThrow(ProviderRefused);
    installation.demoProviders.setFault('microsoft', null);
  });
});
