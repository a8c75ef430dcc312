import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '../../config/load-config.js';
import { DISCOVERY } from '../../contract/scopes.js';
import type { Account } from '../account/account.js';
import { ClaimsTooLarge, buildClaims } from './claims.js';

const ADDRESS = { formatted: 'Am Ring 1\n50667 Köln', locality: 'Köln' };

const account: Account = {
  id: '01234567-89ab-4def-8123-456789abcdef',
  username: 'maria',
  displayName: 'Maria',
  email: 'maria@example.org',
  emailVerified: true,
  picture: 'https://app.example/maria.png',
  language: 'de',
  groupName: 'Nord',
  groups: ['Nord', 'Board'],
  attributes: {
    ...{ given_name: 'Maria', family_name: 'Muster', middle_name: 'M.', nickname: 'Mia', profile: 'https://m.example' },
    ...{ website: 'https://m.example', gender: 'female', birthdate: '1990-01-02', zoneinfo: 'Europe/Berlin' },
    ...{ phone_number: '+49 221 1', phone_number_verified: true, address: ADDRESS, cost_centre: 7, floors: [] },
  },
  status: 'active',
  createdAt: new Date(0),
  updatedAt: new Date(0),
};

const SCHEMA = { properties: { cost_centre: { type: 'integer' }, floors: { type: 'array' }, constructor: true, toString: true } };
const toRules = (claims: object = {}) =>
  loadConfig({ CLAIMS: JSON.stringify(claims), ACCOUNT_SCHEMA: JSON.stringify(SCHEMA) }).config.consent.claims;

describe('claims of an account', () => {
  it('are all claims that discovery lists, if the account has every attribute', () => {
    const { idToken, accessToken } = buildClaims(account, DISCOVERY.scopes, toRules());
    expect(Object.keys(idToken).sort()).toEqual([...DISCOVERY.claims].sort());
    expect(idToken).toMatchObject({ name: 'Maria', locale: 'de', updated_at: 0, address: ADDRESS });
    expect(accessToken).toEqual({});
  });

  it('[CLM-1] are the claims of the granted scopes, each in the tokens that its rule names', () => {
    const rules = toRules({
      groups: { groups: { attribute: 'groups', in: ['id_token', 'access_token'] } },
      work: { 'https://example.org/cost_centre': { attribute: 'cost_centre', in: ['access_token'] }, floors: 'floors' },
    });
    expect(buildClaims(account, ['openid', 'groups', 'work'], rules)).toEqual({
      idToken: { groups: ['Nord', 'Board'] },
      accessToken: { groups: ['Nord', 'Board'], 'https://example.org/cost_centre': 7 },
    });
    expect(buildClaims(account, ['openid', '__proto__', 'constructor'], rules)).toEqual({ idToken: {}, accessToken: {} });
  });

  it('do not include inherited members of the attributes object', () => {
    const rules = toRules({ work: { made_by: 'constructor', text: 'toString' } });
    expect(buildClaims(account, ['work'], rules)).toEqual({ idToken: {}, accessToken: {} });
  });

  it('[CLM-1] omit email_verified and phone_number_verified if the account has no e-mail address or phone number', () => {
    const { email: _, ...accountWithoutEmail } = account;
    const accountWithoutContact = { ...accountWithoutEmail, attributes: { phone_number_verified: true } };
    expect(buildClaims(accountWithoutContact, ['email', 'phone', 'address'], toRules()).idToken).toEqual({});
  });

  it('[CLM-3] cause an error if they are too long for a redirect', () => {
    const accountWithManyGroups = {
      ...account,
      groups: Array.from({ length: 250 }, (_, index) => `department of the number ${index}`),
    };
    const rules = toRules({ groups: { groups: 'groups' } });
    expect(() => buildClaims(accountWithManyGroups, ['groups'], rules)).toThrow(ClaimsTooLarge);
    expect(buildClaims(accountWithManyGroups, ['profile'], rules).idToken).toHaveProperty('name');
  });
});

describe('[CLM-2] CLAIMS', () => {
  const findFault = (claims: unknown): string => {
    try {
      loadConfig({ CLAIMS: typeof claims === 'string' ? claims : JSON.stringify(claims) });
      return '';
    } catch (error) {
      return String(error);
    }
  };

  const RESERVED = ['sub', 'iss', 'aud', 'exp', 'nbf', 'iat', 'jti', 'acr', 'amr', 'azp', 'nonce', 'at_hash', 'c_hash', 's_hash'];

  it.each([...RESERVED, 'sid', 'auth_time', 'rat', 'ext', 'client_id', 'scope', 'email', 'email_verified', '__proto__'])(
    'refuses to redefine the reserved claim %s',
    (claim) => {
      expect(findFault(`{"work":{"${claim}":"nickname"}}`)).toContain(
        `has a fault in the scope work: the claim ${claim} is reserved`,
      );
    },
  );

  it.each([
    ['{', 'cannot be read as JSON'],
    [[], 'is not a JSON object of scopes'],
    [{ 'a b': {} }, 'has the scope "a b", which is not a valid scope name'],
    [{ work: [] }, 'has the scope work, which is not a JSON object of claims'],
    [{ work: { 'a b': 'nickname' } }, 'does not have a valid name'],
    [{ work: { floor: {} } }, 'floor does not name an attribute'],
    [{ work: { floor: { attribute: 'nickname', into: [] } } }, 'has a member that is not one of attribute, in, title'],
    [
      { work: { floor: { attribute: 'nickname', in: ['userinfo'] } } },
      'has an "in" that is not a list of id_token, access_token',
    ],
    [
      { work: { floor: { attribute: 'nickname', title: { xx: 'Floor' } } } },
      'has a title that is not an object of strings by language',
    ],
    [{ work: { name: 'nickname' } }, 'has the claim name from the attribute nickname, but elsewhere from display_name'],
    [
      { one: { floor: 'nickname' }, two: { floor: 'gender' } },
      'has the claim floor from the attribute gender, but elsewhere from nickname',
    ],
    [{ work: { floor: 'storey' } }, 'CLAIMS: the attribute storey is neither in ACCOUNT_SCHEMA nor a member of accounts'],
  ])('reports the fault of %j at startup', (claims, expected) => {
    expect(findFault(claims)).toContain(expected);
  });
});
