/** What a provider reports about people who get accounts: mapped claims, required claims, and false tokens. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { DialectId } from '../../../embedded/demo-providers/dialect.js';
import type { ProvisionSettings, RequiredClaim } from '../../../src/config/provision-settings.js';
import { ProviderRefused, ProviderUnavailable } from '../../../src/providers/provider.errors.js';
import type { ExternalIdentity } from '../../../src/providers/identity-providers.port.js';
import { startProviderInstallation, type ProviderInstallation } from '../../support/provider-installation.js';

const MAPPING: ProvisionSettings = {
  username: 'preferred_username',
  displayName: 'name',
  email: 'email',
  emailVerified: true,
  groups: 'groups',
  groupName: false,
  attributes: {},
};

describe('people of a provider', () => {
  let installation: ProviderInstallation;

  beforeAll(async () => {
    installation = await startProviderInstallation();
  });
  afterAll(() => installation.close());
  afterEach(() => {
    installation.demoProviders.setFault('company', null);
    installation.demoProviders.setClaims('company', {});
  });

  function signIn(
    change: Partial<ProvisionSettings> = {},
    require?: readonly RequiredClaim[],
    person = 'maria',
  ): Promise<ExternalIdentity> {
    const scopes = ['openid', 'profile', 'email', 'groups'];
    const adapter = installation.adapter((one) => ({
      ...one,
      scopes,
      provision: { ...MAPPING, ...change },
      ...(require ? { require } : {}),
    }));
    return installation.signIn('company', person, adapter);
  }

  it('[PRV-7] have an address for an offer only if the provider has verified it and is responsible for it', async () => {
    const find = async (id: DialectId, idToken: Record<string, unknown>) => {
      const scopes = id === 'apple' ? ['name', 'email'] : ['openid', 'profile', 'email'];
      const adapter = installation.adapter((one) => ({ ...one, scopes, offersConnection: true }));
      installation.demoProviders.setClaims(id, { idToken });
      const { verifiedEmail } = await installation.signIn(id, 'maria', adapter);
      installation.demoProviders.setClaims(id, {});
      return verifiedEmail;
    };
    const address = { email: 'maria@people.example', email_verified: true };
    expect(await find('company', {})).toBe('maria@musterwerk.example');
    expect(await find('company', address)).toBe('maria@people.example');
    for (const email_verified of [false, 'true', 1, null])
      expect(await find('company', { ...address, email_verified })).toBeUndefined();
    expect(await find('company', { ...address, email: ['maria@people.example'] })).toBeUndefined();
    expect(await find('apple', { ...address, email_verified: 'true' })).toBe('maria@people.example');
    expect(await find('google', { ...address, hd: 'people.example' })).toBe('maria@people.example');
    expect(await find('google', { ...address, email: 'Maria@Gmail.com' })).toBe('Maria@Gmail.com');
    expect(await find('google', { ...address, hd: null })).toBeUndefined();
    expect((await installation.signIn('company')).verifiedEmail).toBeUndefined();
  });

  const countCalls = (): number => installation.demoProviders.calls('company', 'userinfo');

  it('[PRV-2] come with the claims of the ID token, and of userinfo where the ID token lacks one', async () => {
    expect((await signIn()).person).toEqual({
      subject: 'emp-1001',
      username: 'maria',
      displayName: 'Maria Musterfrau',
      email: 'maria@musterwerk.example',
      emailVerified: true,
      groups: ['staff', 'accounting'],
      hasGroupName: false,
      attributes: {},
      isActive: true,
    });
    const before = countCalls();
    installation.demoProviders.setClaims('company', { idToken: { email: 'of.the@token.example', email_verified: false } });
    expect((await signIn()).person).toMatchObject({ email: 'of.the@token.example', emailVerified: false });
    expect(countCalls()).toBe(before);
    expect(await installation.signIn('company')).not.toHaveProperty('person');
    expect(countCalls()).toBe(before);
  });

  it('[PRV-3] have the claims that SCIM sources compare, of the ID token alone', async () => {
    const adapter = installation.adapter((one) => ({ ...one, comparedClaims: ['oid', 'only_userinfo', 'constructor'] }));
    installation.demoProviders.setClaims('company', {
      idToken: { oid: 'object-1' },
      userinfo: { only_userinfo: 'x', oid: 'object-2' },
    });
    expect((await installation.signIn('company', 'maria', adapter)).claims).toEqual({ oid: 'object-1' });
    expect(await installation.signIn('company')).not.toHaveProperty('claims');
  });

  it('[PRV-3] [S-103] have a verified address only if the provider says true and the settings trust it', async () => {
    expect((await signIn({ emailVerified: false })).person?.emailVerified).toBe(false);
    for (const email_verified of ['true', 1, null, [true]]) {
      installation.demoProviders.setClaims('company', { idToken: { email: 'a@b.example', email_verified } });
      expect([email_verified, (await signIn()).person?.emailVerified]).toEqual([email_verified, false]);
    }
    // An address in the ID token is not verified by what userinfo says about another address.
    installation.demoProviders.setClaims('company', { idToken: { email: 'a@b.example' }, userinfo: { email_verified: true } });
    expect((await signIn()).person).toMatchObject({ email: 'a@b.example', emailVerified: false });
  });

  it('have nested claims, found by JSON Pointer, and others, found by their whole name', async () => {
    const idToken = {
      realm_access: { roles: ['admin'] },
      'https://claims.example/a.b': 'x',
      address: { locality: 'Linz' },
      a: { 'b/c~d': 'escaped' },
    };
    installation.demoProviders.setClaims('company', { idToken });
    const attributes = {
      one: 'https://claims.example/a.b',
      two: '/address',
      three: '/a/b~1c~0d',
      four: '/address/street',
      five: 'address.locality',
    };
    const { person } = await signIn({ groups: '/realm_access/roles', attributes });
    expect(person).toMatchObject({
      groups: ['admin'],
      attributes: { one: 'x', two: { locality: 'Linz' }, three: 'escaped', four: null, five: null },
    });
  });

  it('[S-103] are read without the prototype, whatever the name of a claim is', async () => {
    const hostile = JSON.parse('{"__proto__":{"groups":["admin"],"isAdmin":true},"constructor":{"prototype":{"x":1}}}') as object;
    installation.demoProviders.setClaims('company', {
      idToken: { ...hostile, preferred_username: { toString: 'x' }, name: ['a'], groups: [7, null, 'real'] },
    });
    const attributes = { one: 'isAdmin', two: '/constructor/name', three: 'toString', four: '/groups/length', five: '__proto__' };
    const { person } = await signIn({ attributes });
    expect(person).toMatchObject({ username: '', groups: ['real'] });
    expect(person).not.toHaveProperty('displayName');
    expect(person?.attributes).toMatchObject({ one: null, two: null, three: null, four: null });
    expect(Object.getPrototypeOf(person?.attributes)).toBe(Object.prototype);
    expect('isAdmin' in {}).toBe(false);
  });

  it('[S-104] are refused unless every required claim has exactly one of its values', async () => {
    const one = (claim: string, ...values: RequiredClaim['values']): RequiredClaim => ({ claim, values });
    const isAdmitted = async (...required: RequiredClaim[]) => (await signIn({}, required)).isAdmitted;
    expect(await isAdmitted(one('groups', 'staff'))).toBe(true);
    expect(await isAdmitted(one('groups', 'others', 'accounting'), one('preferred_username', 'maria'))).toBe(true);
    expect(await isAdmitted(one('groups', 'staff'), one('preferred_username', 'jonas'))).toBe(false);
    expect(await isAdmitted(one('groups', 'STAFF'))).toBe(false);
    expect(await isAdmitted(one('groups', 'staff,accounting'))).toBe(false);
    expect(await isAdmitted(one('missing', 'undefined'))).toBe(false);
    expect(await isAdmitted(one('email', 'maria@musterwerk.example'))).toBe(true);
    installation.demoProviders.setClaims('company', {
      idToken: { level: 1, flag: 'true', _claim_names: { groups: 'src1' }, groups: undefined },
    });
    expect(await isAdmitted(one('level', '1'))).toBe(false);
    expect(await isAdmitted(one('level', 1))).toBe(true);
    expect(await isAdmitted(one('flag', true))).toBe(false);
    expect((await signIn({}, [one('groups', 'staff')], 'jonas')).isAdmitted).toBe(false);
    expect((await signIn({}, [one('groups', 'others'), one('level', 1), one('gruops', 'staff')])).unmetRequirements).toEqual([
      'groups has none of the required values',
      'gruops is missing',
    ]);
  });

  it.each(['userinfo-subject', 'userinfo-no-subject'] as const)(
    '[PRV-3] [S-103] are refused when userinfo has the fault "%s"',
    async (fault) => {
      installation.demoProviders.setFault('company', fault);

      await expect(signIn()).rejects.toThrow(ProviderRefused);
      expect(installation.failures.at(-1)?.message).not.toMatch(/somebody-else|maria/);
    },
  );

  it.each(['slow-userinfo', 'status-500-userinfo', 'broken-json-userinfo', 'redirect-userinfo', 'huge-userinfo'] as const)(
    '[PRV-4] [S-104] are not signed in with half of their claims when userinfo has the fault "%s"',
    async (fault) => {
      installation.demoProviders.setFault('company', fault);
      const scopes = ['openid', 'profile', 'email', 'groups'];
      const adapter = installation.adapter((one) => ({ ...one, scopes, provision: MAPPING }), 300);
      await expect(installation.signIn('company', 'maria', adapter)).rejects.toThrow(ProviderUnavailable);
    },
  );
});
