/**
 * Determines which providers are configured from the settings of the three built-in providers and the list of further providers,
 * and finds the faults of these settings, such as a provider that is only partly configured.
 */
import type { ProviderSettings } from './value-types.js';
import { OAUTH_DEFAULTS, isOAuthType } from './provider-presets.js';
import { findSharedDomains } from './domains.js';
import { isSafeAddress } from './safe-address.js';
import { findSubjectFaults } from './subject-settings.js';
import type { SettingValues } from './settings.js';

type ProviderValues = SettingValues['providers'];
type Part = Pick<ProviderSettings, 'id' | 'name' | 'dialect'>;

const GOOGLE: Part = { id: 'google', name: 'Google', dialect: 'google' };
const MICROSOFT: Part = { id: 'microsoft', name: 'Microsoft', dialect: 'microsoft' };
const APPLE: Part = { id: 'apple', name: 'Apple', dialect: 'apple' };

/**
 * Only an offer to connect needs the e-mail address (`addOffers`); otherwise accounts are not searched by address, and the label of an
 * identity needs only a name. Apple sends the name only with the first consent.
 */
const PROFILE_SCOPES = ['openid', 'profile'];
const APPLE_SCOPES = ['name'];

/** Settings that belong together, by provider; they enable the provider only if all are set. */
const SETS = [
  ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
  ['MICROSOFT_CLIENT_ID', 'MICROSOFT_CLIENT_SECRET'],
  ['APPLE_CLIENT_ID', 'APPLE_TEAM_ID', 'APPLE_KEY_ID', 'APPLE_PRIVATE_KEY'],
] as const;

/** Settings with domains, and the client id that they require. */
const DOMAIN_SETTINGS = [
  ['GOOGLE_DOMAINS', 'GOOGLE_CLIENT_ID'],
  ['MICROSOFT_DOMAINS', 'MICROSOFT_CLIENT_ID'],
  ['APPLE_DOMAINS', 'APPLE_CLIENT_ID'],
] as const;

/** @returns the completely configured providers, in the order of their buttons */
export function toProviders({ providers }: SettingValues): ProviderSettings[] {
  const allProviders = [...toGoogle(providers), ...toMicrosoft(providers), ...toApple(providers), ...providers.further];
  return allProviders.map((settings) => (providers.connectOffers.includes(settings.id) ? addOffers(settings) : settings));
}

/** An offer needs the address of the person, so it is requested. */
function addOffers({ scopes, ...settings }: ProviderSettings): ProviderSettings {
  const emailScope = isOAuthType(settings.dialect) ? OAUTH_DEFAULTS[settings.dialect].emailScope : 'email';
  const missingScopes = emailScope === null || scopes.includes(emailScope) ? [] : [emailScope];
  return { ...settings, scopes: [...scopes, ...missingScopes], offersConnection: true };
}

/** Providers that return no address, or do not say whether it is verified. */
const DIALECTS_WITHOUT_VERIFIED_ADDRESSES: readonly ProviderSettings['dialect'][] = ['microsoft', 'facebook', 'x'];

function findOfferFaults(values: SettingValues): string[] {
  const providers = toProviders(values);
  return values.providers.connectOffers.flatMap((id) => {
    const provider = providers.find((candidate) => candidate.id === id);
    if (!provider) return [`CONNECT_OFFERS: ${JSON.stringify(id)} is not the id of a configured provider`];
    if (DIALECTS_WITHOUT_VERIFIED_ADDRESSES.includes(provider.dialect))
      return [`CONNECT_OFFERS: ${id} does not say whether an address is verified, so nothing can be offered`];
    return provider.provision
      ? [`CONNECT_OFFERS: ${id} gives accounts to unknown people (provision), so there is nothing to offer`]
      : [];
  });
}

function toGoogle(values: ProviderValues): ProviderSettings[] {
  const { googleClientId: clientId, googleClientSecret: secret, googleIssuer: issuer, googleDomains: domains } = values;
  if (clientId === undefined || secret === undefined) return [];
  return [{ ...GOOGLE, issuer, clientId, credential: { kind: 'secret', secret }, scopes: PROFILE_SCOPES, domains }];
}

function toMicrosoft(values: ProviderValues): ProviderSettings[] {
  const {
    microsoftClientId: clientId,
    microsoftClientSecret: secret,
    microsoftIssuer: issuer,
    microsoftTenants: tenants,
    microsoftDomains: domains,
  } = values;
  if (clientId === undefined || secret === undefined) return [];
  return [{ ...MICROSOFT, issuer, clientId, credential: { kind: 'secret', secret }, scopes: PROFILE_SCOPES, tenants, domains }];
}

function toApple(values: ProviderValues): ProviderSettings[] {
  const {
    appleClientId: clientId,
    appleTeamId: teamId,
    appleKeyId: keyId,
    applePrivateKey: privateKey,
    appleIssuer: issuer,
    appleDomains: domains,
  } = values;
  if (clientId === undefined || teamId === undefined || keyId === undefined || privateKey === undefined) return [];
  const credential = { kind: 'apple-key', teamId, keyId, privateKey } as const;
  return [{ ...APPLE, issuer, clientId, credential, scopes: APPLE_SCOPES, domains }];
}

/** @returns faults that prevent the start */
export function findProviderFaults(values: SettingValues, isSet: (name: string) => boolean, production: boolean): string[] {
  const missingFaults = SETS.flatMap((set) => {
    const firstName = set.find((name) => isSet(name));
    return firstName === undefined
      ? []
      : set.filter((name) => !isSet(name)).map((name) => `${name}: is missing; ${firstName} requires it`);
  });
  const domainFaults = DOMAIN_SETTINGS.flatMap(([domains, id]) =>
    isSet(domains) && !isSet(id) ? [`${domains}: requires ${id}`] : [],
  );
  const addresses: Record<string, string> = {
    GOOGLE_ISSUER: values.providers.googleIssuer,
    MICROSOFT_ISSUER: values.providers.microsoftIssuer,
    APPLE_ISSUER: values.providers.appleIssuer,
  };
  const issuerFaults = Object.entries(addresses).flatMap(([name, issuer]) => findPlainHttp(name, issuer, production));
  const furtherIssuerFaults = values.providers.further.flatMap(({ id, issuer }) =>
    findPlainHttp(`OIDC_PROVIDERS: the issuer of ${id}`, issuer, production),
  );
  return [
    ...missingFaults,
    ...domainFaults,
    ...issuerFaults,
    ...furtherIssuerFaults,
    ...findSubjectFaults(values.users.sources, values.providers.further),
    ...findDomainFaults(values),
    ...findOfferFaults(values),
  ];
}

function findDomainFaults(values: SettingValues): string[] {
  const { googleDomains, microsoftDomains, appleDomains, further } = values.providers;
  const builtInDomains = { GOOGLE_DOMAINS: googleDomains, MICROSOFT_DOMAINS: microsoftDomains, APPLE_DOMAINS: appleDomains };
  return findSharedDomains([
    ...Object.entries(builtInDomains).map(([setting, domains]) => ({ setting, name: setting, domains })),
    ...further.map(({ id, domains = [] }) => ({ setting: 'OIDC_PROVIDERS', name: `${id} of OIDC_PROVIDERS`, domains })),
    ...values.users.sources.map((source) => ({
      setting: 'USER_SOURCES',
      name: `${source.id} of USER_SOURCES`,
      domains: source.type === 'scim' ? [] : (source.domains ?? []),
    })),
  ]);
}

/** Requires https: over plain http, an attacker between Foyer and the provider could sign in as anybody. */
function findPlainHttp(name: string, issuer: string, production: boolean): string[] {
  if (issuer.startsWith('https:')) return [];
  const separator = name.includes(':') ? '' : ':';
  if (production) return [`${name}${separator} must be https in production`];
  return isSafeAddress(issuer) ? [] : [`${name}${separator} must be https unless it is on this machine`];
}
