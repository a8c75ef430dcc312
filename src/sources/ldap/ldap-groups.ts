/**
 * Finds the groups of a person: the groups that name the person as a member and, if the settings require it, the groups that contain
 * these groups.
 */
import { AndFilter, EqualityFilter, ExtensibleFilter, FilterParser, OrFilter, type Entry, type Filter } from 'ldapts';
import type { LdapGroups } from '../../config/source-settings.js';
import { selectGroups, type FoundGroups } from '../group-selection.js';
import type { LdapDirectory } from './ldap-directory.js';
import { toTexts } from './ldap-entry.js';

/** The matching rule LDAP_MATCHING_RULE_IN_CHAIN of Active Directory, which finds nested groups. */
const IN_CHAIN = '1.2.840.113556.1.4.1941';
const MAX_DEPTH = 5;
/** Maximum number of groups whose parent groups are searched, and of entries that one search returns. */
const MAX_ENTRIES = 1000;

export interface GroupMember {
  dn: string;
  username: string;
}

/** @throws LdapRefused, SourceUnavailable */
export async function findGroups(directory: LdapDirectory, groups: LdapGroups, member: GroupMember): Promise<FoundGroups> {
  const groupEntries = new Map<string, Entry>();
  const isByName = groups.member.toLowerCase() === 'memberuid';
  let members = [isByName ? member.username : member.dn];
  for (let depth = 0; members.length > 0 && depth < (groups.nested === 'search' ? MAX_DEPTH : 1); depth += 1) {
    const entries = await directory.search(groups.base, {
      scope: 'sub',
      filter: new AndFilter({ filters: [FilterParser.parseString(groups.filter), buildMembersFilter(groups, members)] }),
      attributes: [groups.name],
      sizeLimit: MAX_ENTRIES,
    });
    const newEntries = entries.filter(({ dn }) => !groupEntries.has(dn.toLowerCase()));
    for (const entry of newEntries) groupEntries.set(entry.dn.toLowerCase(), entry);
    members = isByName || groupEntries.size >= MAX_ENTRIES ? [] : newEntries.map(({ dn }) => dn);
  }
  const names = [...groupEntries.values()].flatMap((entry) => toTexts(entry, groups.name).slice(0, 1));
  const { names: selectedNames, isCut } = selectGroups(names, groups);
  // A search that returns the maximum number of entries may have omitted others, among them those that the settings select.
  return { names: selectedNames, isCut: isCut || groupEntries.size >= MAX_ENTRIES };
}

function buildMembersFilter({ member, nested }: LdapGroups, values: readonly string[]): Filter {
  const filters = values.map((value) =>
    nested === 'rule'
      ? new ExtensibleFilter({ matchType: member, rule: IN_CHAIN, value })
      : new EqualityFilter({ attribute: member, value }),
  );
  return new OrFilter({ filters });
}
