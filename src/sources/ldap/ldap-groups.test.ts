import { describe, expect, it } from '@jest/globals';
import type { LdapGroups } from '../../config/source-settings.js';
import type { LdapDirectory } from './ldap-directory.js';
import { findGroups } from './ldap-groups.js';

const MEMBER = { dn: 'uid=maria,dc=example', username: 'maria' };
const SETTINGS: LdapGroups = {
  ...{ base: 'dc=example', filter: '(cn=*)', name: 'cn', member: 'member', nested: 'none' },
  ...{ only: ['group 1'], most: 100, groupName: false },
};

/** A directory in which every search finds this many groups, up to the limit of the search. */
function directoryWith(groupCount: number): LdapDirectory {
  const list: LdapDirectory['list'] = async (_base, _options, limit) =>
    Array.from({ length: Math.min(groupCount, limit + 1) }, (_, index) => ({
      dn: `cn=group ${index},dc=example`,
      cn: `group ${index}`,
    }));
  return { list } as Partial<LdapDirectory> as LdapDirectory;
}

describe('findGroups', () => {
  it.each([
    [999, false],
    [1001, true],
  ])('reports whether groups are left out because the person has too many (%i: %p)', async (groupCount, isCut) => {
    const found = await findGroups(directoryWith(groupCount), SETTINGS, MEMBER);
    expect(found).toEqual({ names: ['group 1'], isCut });
  });
});
