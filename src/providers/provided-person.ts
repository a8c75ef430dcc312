/**
 * Reads the claims that the settings map to an account, and checks the claims that the settings require. A claim is taken from the
 * first set that has it: the ID token, then userinfo. A provider that is not an OpenID provider has one set, from its user API.
 * Values are not validated here, but when they are written to an account.
 */
import type { ProviderSettings } from '../config/config.js';
import { defined } from '../config/defined.js';
import type { ProvisionSettings, RequiredClaim } from '../config/provision-settings.js';
import { isObject } from '../config/settings-kinds.js';
import type { ExternalIdentity, ProvidedPerson } from './identity-providers.port.js';

export type ClaimSet = Readonly<Record<string, unknown>>;

type IdentitySettings = Pick<
  ProviderSettings,
  'provision' | 'require' | 'comparedClaims' | 'offersConnection' | 'dialect' | 'issuer'
>;

/** Compares the claims of a proven identity with the settings, and describes the person as far as the settings need it. */
export function describeIdentity(
  claimSets: readonly ClaimSet[],
  subject: string,
  { provision, require, comparedClaims, offersConnection, dialect, issuer }: IdentitySettings,
): Pick<ExternalIdentity, 'isAdmitted' | 'unmetRequirements' | 'person' | 'claims' | 'verifiedEmail'> {
  const unmetRequirements = findUnmetRequirements(claimSets, require);
  const isAdmitted = unmetRequirements.length === 0;
  return {
    isAdmitted,
    ...(isAdmitted ? {} : { unmetRequirements }),
    ...(provision ? { person: { ...toPerson(claimSets, provision), subject, isActive: isAdmitted } } : {}),
    ...(offersConnection ? defined({ verifiedEmail: findVerifiedEmail(claimSets, { dialect, issuer }) }) : {}),
    // SCIM sources compare the claims of the first set: those of the ID token, or of the user API if there is no ID token.
    ...(comparedClaims ? { claims: pickClaims(claimSets[0] ?? {}, comparedClaims) } : {}),
  };
}

/**
 * A distributed claim (`_claim_names`) is not read, so its requirement is not met.
 * @returns a text for the log about each requirement that is not met, without values of the claim
 */
function findUnmetRequirements(claimSets: readonly ClaimSet[], requirements: readonly RequiredClaim[] = []): string[] {
  return requirements.flatMap(({ claim, values }) => {
    const claimValue = findValue(claimSets, claim);
    const claimValues: unknown[] = [claimValue].flat();
    if (values.some((value) => claimValues.includes(value))) return [];
    return [claimValue === undefined ? `${claim} is missing` : `${claim} has none of the required values`];
  });
}

function toPerson(claimSets: readonly ClaimSet[], settings: ProvisionSettings): Omit<ProvidedPerson, 'subject' | 'isActive'> {
  const displayName = findText(claimSets, settings.displayName);
  const email = findText(claimSets, settings.email);
  return {
    username: findText(claimSets, settings.username) ?? '',
    ...defined({ displayName }),
    ...defined({ email }),
    emailVerified: settings.emailVerified && isVerified(claimSets, settings.email),
    ...(settings.groups === undefined ? {} : { groups: findTexts(claimSets, settings.groups), hasGroupName: settings.groupName }),
    attributes: Object.fromEntries(
      Object.entries(settings.attributes).map(([attribute, claim]) => [attribute, findValue(claimSets, claim) ?? null]),
    ),
  };
}

/**
 * @returns the names of the claims that the settings read from the ID token or userinfo; not `comparedClaims`, which are read only
 * from the ID token
 */
export function listNeededClaims({
  provision,
  require = [],
  offersConnection,
}: Pick<ProviderSettings, 'provision' | 'require' | 'offersConnection'>): string[] {
  const requiredNames = [...require.map(({ claim }) => claim), ...(offersConnection ? ['email', 'email_verified'] : [])];
  if (!provision) return requiredNames;
  const { username, displayName, email, emailVerified, groups, attributes } = provision;
  const mappedNames = [username, displayName, email, ...(emailVerified ? ['email_verified'] : [])];
  return [...requiredNames, ...mappedNames, ...(groups === undefined ? [] : [groups]), ...Object.values(attributes)];
}

/** @returns the claims with these names, as far as they exist */
function pickClaims(claims: ClaimSet, names: readonly string[]): ClaimSet {
  return Object.fromEntries(names.flatMap((name) => (hasClaim(claims, name) ? [[name, findMember(claims, name)]] : [])));
}

export function hasClaim(claims: ClaimSet, name: string): boolean {
  return findMember(claims, name) !== undefined;
}

/**
 * Reads `email_verified` from the set that has the address, because the other set may have another address.
 * @param emailClaim the name of the claim with the address
 */
function isVerified(claimSets: readonly ClaimSet[], emailClaim: string): boolean {
  const set = claimSets.find((one) => hasClaim(one, emailClaim));
  return set !== undefined && findMember(set, 'email_verified') === true;
}

/** @returns the address that the provider has verified; from Google, only an address of Gmail or of a Workspace */
function findVerifiedEmail(
  claimSets: readonly ClaimSet[],
  { dialect, issuer }: Pick<ProviderSettings, 'dialect' | 'issuer'>,
): string | undefined {
  const email = findText(claimSets, 'email');
  const set = claimSets.find((one) => hasClaim(one, 'email')) ?? {};
  // Apple may send the text "true".
  const isVerified = set['email_verified'] === true || (dialect === 'apple' && set['email_verified'] === 'true');
  if (email === undefined || !isVerified) return undefined;
  // Google verifies an address of another mail service once, and does not notice when another person gets the address.
  const isGoogle = dialect === 'google' || issuer === 'https://accounts.google.com';
  const isOwned = !isGoogle || typeof set['hd'] === 'string' || /@gmail\.com$/i.test(email);
  return isOwned ? email : undefined;
}

function findText(claimSets: readonly ClaimSet[], name: string): string | undefined {
  const value = findValue(claimSets, name);
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

function findTexts(claimSets: readonly ClaimSet[], name: string): string[] {
  return [findValue(claimSets, name)].flat().filter((one) => typeof one === 'string');
}

function findValue(claimSets: readonly ClaimSet[], name: string): unknown {
  const set = claimSets.find((one) => hasClaim(one, name));
  return set && findMember(set, name);
}

/** @param name a claim, or a JSON pointer to a member of a claim. Inherited properties such as `constructor` are ignored */
function findMember(claims: ClaimSet, name: string): unknown {
  const steps = name.startsWith('/') ? name.slice(1).split('/').map(unescapeStep) : [name];
  return steps.reduce<unknown>(
    (value, step) => (isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined),
    claims,
  );
}

/** Decodes a step of a JSON pointer (RFC 6901, section 4). */
function unescapeStep(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}
