import { describe, expect, it } from '@jest/globals';
import { TestClock } from '../../test/support/test-clock.js';
import type { ProviderSettings } from '../config/config.js';
import { ConfiguredIdentityProviders } from './configured-identity-providers.adapter.js';

const TENANT = '0b0e1c5a-7a5d-4a52-9d1f-3f0e5a8f1d11';
const OTHER_TENANT = '1b0e1c5a-7a5d-4a52-9d1f-3f0e5a8f1d11';
const PERSONAL_TENANT = '9188040d-6c67-4c5b-b112-36a304b66dad';
const ADDRESS = 'https://login.example';
const buildIssuer = (tenant: string): string => `${ADDRESS}/${tenant}/v2.0`;

const toProviders = (...settings: Partial<ProviderSettings>[]): ConfiguredIdentityProviders => {
  const common = { clientId: 'foyer', credential: { kind: 'secret', secret: 's' }, scopes: ['openid'] } as const;
  const providers = settings.map((entry) => ({ ...common, id: 'x', name: 'X', dialect: 'oidc' as const, issuer: '', ...entry }));
  return new ConfiguredIdentityProviders({ providers, clock: new TestClock(), onFailure: () => undefined });
};

describe("[PRV-3] the issuer of a provider's identities", () => {
  it('is exactly the issuer in the settings', () => {
    const providers = toProviders(
      { id: 'google', dialect: 'google', issuer: 'https://accounts.example' },
      { id: 'apple', dialect: 'apple', issuer: 'https://apple.example' },
    );
    expect(providers.findIssuer('google')).toBe('https://accounts.example');
    expect(providers.findIssuer('apple', 'https://apple.example')).toBe('https://apple.example');
    for (const issuer of ['https://accounts.example', 'https://apple.example/', 'HTTPS://apple.example', ''])
      expect([issuer, providers.findIssuer('apple', issuer)]).toEqual([issuer, null]);
    expect(providers.findIssuer('github')).toBeNull();
  });

  it.each<[string[], string | null, string[], string[]]>([
    [
      ['common'],
      null,
      [buildIssuer(TENANT), buildIssuer(PERSONAL_TENANT)],
      [ADDRESS, buildIssuer('common'), `${buildIssuer(TENANT)}/`, buildIssuer(TENANT).replace('login', 'evil')],
    ],
    [['organizations'], null, [buildIssuer(TENANT)], [buildIssuer(PERSONAL_TENANT), buildIssuer('organizations')]],
    [['consumers'], buildIssuer(PERSONAL_TENANT), [buildIssuer(PERSONAL_TENANT)], [buildIssuer(TENANT)]],
    [
      [TENANT],
      buildIssuer(TENANT),
      [buildIssuer(TENANT)],
      [buildIssuer(OTHER_TENANT), buildIssuer(PERSONAL_TENANT), buildIssuer(TENANT.toUpperCase())],
    ],
    [[TENANT, OTHER_TENANT], null, [buildIssuer(TENANT), buildIssuer(OTHER_TENANT)], [buildIssuer(PERSONAL_TENANT)]],
  ])('is, at Microsoft, the issuer of an accepted tenant (%j)', (tenants, onlyIssuer, acceptedIssuers, refusedIssuers) => {
    const providers = toProviders({ id: 'microsoft', dialect: 'microsoft', issuer: ADDRESS, tenants });
    expect(providers.findIssuer('microsoft')).toBe(onlyIssuer);
    for (const issuer of acceptedIssuers) expect(providers.findIssuer('microsoft', issuer)).toBe(issuer);
    for (const issuer of refusedIssuers) expect([issuer, providers.findIssuer('microsoft', issuer)]).toEqual([issuer, null]);
  });
});
