/**
 * Reads from claims what the settings map to an account, and whether they require more. A claim comes from the first set that
 * has it: ID token, then userinfo. Values are not checked: accounts check what is written to them.
 */
import type { ProviderSettings } from '../config/config.js';
import { defined } from '../config/defined.js';
import type { ProvisionSettings, RequiredClaim } from '../config/provision-settings.js';
import { isObject } from '../config/settings-kinds.js';
import type { ProvidedPerson } from './identity-providers.port.js';

export type ClaimSet = Readonly<Record<string, unknown>>;

/**
 * Also a distributed claim (`_claim_names`), which is not read: what is not known is not met.
 * @returns for the log: which claims are not met, without their values
 */
export function unmetClaims(said: readonly ClaimSet[], required: readonly RequiredClaim[] = []): string[] {
  return required.flatMap(({ claim, values }) => {
    const found = valueOf(said, claim);
    const given: unknown[] = [found].flat();
    if (values.some((value) => given.includes(value))) return [];
    return [found === undefined ? `${claim} is missing` : `${claim} has none of the required values`];
  });
}

export function toPerson(said: readonly ClaimSet[], settings: ProvisionSettings): Omit<ProvidedPerson, 'subject' | 'isActive'> {
  const displayName = textOf(said, settings.displayName);
  const email = textOf(said, settings.email);
  return {
    username: textOf(said, settings.username) ?? '',
    ...defined({ displayName }),
    ...defined({ email }),
    emailVerified: settings.emailVerified && isVerified(said, settings.email),
    ...(settings.groups === undefined ? {} : { groups: toTexts(said, settings.groups), hasGroupName: settings.groupName }),
    attributes: Object.fromEntries(
      Object.entries(settings.attributes).map(([attribute, claim]) => [attribute, valueOf(said, claim) ?? null]),
    ),
  };
}

/** Names of the claims that the settings use. */
export function claimsNeeded({ provision, require = [] }: Pick<ProviderSettings, 'provision' | 'require'>): string[] {
  const required = require.map(({ claim }) => claim);
  if (!provision) return required;
  const { username, displayName, email, emailVerified, groups, attributes } = provision;
  const mapped = [username, displayName, email, ...(emailVerified ? ['email_verified'] : [])];
  return [...required, ...mapped, ...(groups === undefined ? [] : [groups]), ...Object.values(attributes)];
}

export function hasClaim(claims: ClaimSet, name: string): boolean {
  return toMember(claims, name) !== undefined;
}

/** Said beside the address: the other set may have another one. */
function isVerified(said: readonly ClaimSet[], email: string): boolean {
  const set = said.find((one) => hasClaim(one, email));
  return set !== undefined && toMember(set, 'email_verified') === true;
}

function textOf(said: readonly ClaimSet[], name: string): string | undefined {
  const value = valueOf(said, name);
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

function toTexts(said: readonly ClaimSet[], name: string): string[] {
  return [valueOf(said, name)].flat().filter((one) => typeof one === 'string');
}

function valueOf(said: readonly ClaimSet[], name: string): unknown {
  const set = said.find((one) => hasClaim(one, name));
  return set && toMember(set, name);
}

/** Names of claims come from the settings, but the claims may have any members: only their own count. */
function toMember(claims: ClaimSet, name: string): unknown {
  const steps = name.startsWith('/') ? name.slice(1).split('/').map(unescaped) : [name];
  return steps.reduce<unknown>(
    (value, step) => (isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined),
    claims,
  );
}

/** RFC 6901, section 4. */
function unescaped(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}
