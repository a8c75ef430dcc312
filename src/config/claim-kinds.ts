/**
 * The claims that apps receive: the standard claims (OpenID Connect Core, sections 5.1 and 5.4) and the claims of the setting `CLAIMS`,
 * `{"<scope>": {"<claim>": "<attribute>"}}`. An object with the members `attribute`, `in` and `title` may replace the attribute.
 */
import { ACCOUNT_MEMBERS, findUnknownAttributes } from './account-schema.js';
import { CLAIM_TOKENS, type AccountSchema, type ClaimRule, type ClaimToken } from './value-types.js';
import { defined } from './defined.js';
import { fromJson, isObject, isTextByLocale, type Kind, type Reading } from './settings-kinds.js';

/**
 * Claims that an operator cannot set: claims of OAuth, OpenID Connect and their extensions, claims that Hydra sets, the e-mail address,
 * which apps treat as verified, and a name that a JavaScript object cannot safely have.
 */
const RESERVED_CLAIMS: readonly string[] = [
  ...['iss', 'sub', 'aud', 'exp', 'nbf', 'iat', 'jti', 'auth_time', 'nonce', 'acr', 'amr', 'azp', 'sid', 'sub_jwk', 'events'],
  ...['at_hash', 'c_hash', 's_hash', 'rat', 'ext', 'active', 'scope', 'scp', 'client_id', 'token_type', 'token_use', 'username'],
  ...['act', 'may_act', 'cnf', '_claim_names', '_claim_sources', 'email', 'email_verified', 'obfuscated_subject', '__proto__'],
];

const MAX_RULES = 100;
const MAX_NAME_LENGTH = 128;
/** The name of a scope (RFC 6749, section 3.3). */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+$/;
const MEMBERS = ['attribute', 'in', 'title'];

function buildStandardRules(scope: string, claims: Readonly<Record<string, string>>): ClaimRule[] {
  return Object.entries(claims).map(([claim, attribute]) => ({ scope, claim, attribute, tokens: ['id_token'] }));
}

const mapToOwnNames = (...names: string[]): Record<string, string> => Object.fromEntries(names.map((name) => [name, name]));

export const STANDARD_CLAIMS: readonly ClaimRule[] = [
  ...buildStandardRules('profile', {
    name: 'display_name',
    preferred_username: 'username',
    picture: 'picture',
    locale: 'language',
    updated_at: 'updated_at',
    ...mapToOwnNames(
      'given_name',
      'family_name',
      'middle_name',
      'nickname',
      'profile',
      'website',
      'gender',
      'birthdate',
      'zoneinfo',
    ),
  }),
  ...buildStandardRules('email', mapToOwnNames('email', 'email_verified')),
  ...buildStandardRules('address', mapToOwnNames('address')),
  ...buildStandardRules('phone', mapToOwnNames('phone_number', 'phone_number_verified')),
];

export const claimRules: Kind<readonly ClaimRule[]> = {
  label: 'JSON',
  read: (value) => fromJson(value, readRules),
};

function readRules(parsed: unknown): Reading<readonly ClaimRule[]> {
  if (!isObject(parsed)) return { fault: 'is not a JSON object of scopes' };
  const rules: ClaimRule[] = [];
  for (const [scope, claims] of Object.entries(parsed)) {
    if (!SCOPE.test(scope) || scope.length > MAX_NAME_LENGTH)
      return { fault: `has the scope ${JSON.stringify(scope)}, which is not a valid scope name (RFC 6749, section 3.3)` };
    if (!isObject(claims)) return { fault: `has the scope ${scope}, which is not a JSON object of claims` };
    for (const [claim, entry] of Object.entries(claims)) {
      const rule = toRule(scope, claim, entry);
      if (typeof rule === 'string') return { fault: `has a fault in the scope ${scope}: the claim ${claim} ${rule}` };
      rules.push(rule);
    }
  }
  if (rules.length > MAX_RULES) return { fault: `has more than ${MAX_RULES} claims` };
  const fault = findContradiction(rules);
  return fault === null ? { value: rules } : { fault };
}

/** @returns the rule, or what is wrong with it */
function toRule(scope: string, claim: string, entry: unknown): ClaimRule | string {
  if (claim === '' || claim.length > MAX_NAME_LENGTH || /[\p{Cc}\s]/u.test(claim)) return 'does not have a valid name';
  if (RESERVED_CLAIMS.includes(claim))
    return 'is reserved: the protocol, Hydra or Foyer sets it, or its name is not safe in JavaScript';
  const {
    attribute,
    in: tokens = ['id_token'],
    title,
    ...unknownMembers
  } = typeof entry === 'string' ? { attribute: entry } : toEntry(entry);
  if (typeof attribute !== 'string' || attribute === '') return 'does not name an attribute';
  if (Object.keys(unknownMembers).length > 0) return `has a member that is not one of ${MEMBERS.join(', ')}`;
  if (!isTokens(tokens)) return `has an "in" that is not a list of ${CLAIM_TOKENS.join(', ')}`;
  if (title !== undefined && !isTextByLocale(title)) return 'has a title that is not an object of strings by language';
  return { scope, claim, attribute, tokens, ...defined({ title }) };
}

function toEntry(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}

function isTokens(value: unknown): value is ClaimToken[] {
  return Array.isArray(value) && value.length > 0 && value.every((name) => CLAIM_TOKENS.some((token) => token === name));
}

/** Finds a claim with different attributes in different scopes, or a standard claim with another attribute. */
function findContradiction(rules: readonly ClaimRule[]): string | null {
  const attributes = new Map(STANDARD_CLAIMS.map(({ claim, attribute }) => [claim, attribute]));
  for (const { claim, attribute } of rules) {
    const firstAttribute = attributes.get(claim);
    if (firstAttribute !== undefined && firstAttribute !== attribute)
      return `has the claim ${claim} from the attribute ${attribute}, but elsewhere from ${firstAttribute}`;
    attributes.set(claim, attribute);
  }
  return null;
}

/**
 * @returns a fault for each attribute that is neither a member of accounts nor in the schema; an empty list if the schema may allow
 * other names
 */
export function findClaimFaults(rules: readonly ClaimRule[], schema?: AccountSchema): string[] {
  const names = rules.map(({ attribute }) => attribute).filter((name) => !ACCOUNT_MEMBERS.some((member) => member === name));
  return findUnknownAttributes(names, schema).map(
    (name) => `CLAIMS: the attribute ${name} is neither in ACCOUNT_SCHEMA nor a member of accounts`,
  );
}
