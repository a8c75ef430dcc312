/**
 * Finds the groups of a person: the groups that name the person as a member and, if the settings require it, the groups that contain
 * these groups.
 */
import {
  AndFilter,
  EqualityFilter,
  ExtensibleFilter,
  FilterParser,
  OrFilter,
  type Entry,
  type Filter,
  type SearchOptions,
} from 'ldapts';
import type { LdapGroups } from '../../config/source-settings.js';
import { selectGroups, type FoundGroups } from '../group-selection.js';
import { LdapRefused } from './ldap-connection.js';
import type { LdapDirectory } from './ldap-directory.js';
import { toTexts } from './ldap-entry.js';

/** The matching rule LDAP_MATCHING_RULE_IN_CHAIN of Active Directory, which finds nested groups. */
const IN_CHAIN = '1.2.840.113556.1.4.1941';
const MAX_DEPTH = 5;
/** Maximum number of groups whose parent groups are searched, and of entries that one search returns. */
const MAX_ENTRIES = 1000;
/** The result code of a search that would return more entries than the directory allows (RFC 4511, appendix A.2). */
const SIZE_LIMIT_EXCEEDED = 4;

export interface GroupMember {
  dn: string;
  username: string;
}

/** @throws LdapRefused, SourceUnavailable */
export async function findGroups(directory: LdapDirectory, groups: LdapGroups, member: GroupMember): Promise<FoundGroups> {
  const groupEntries = new Map<string, Entry>();
  let isLimited = false;
  const isByName = groups.member.toLowerCase() === 'memberuid';
  let members = [isByName ? member.username : member.dn];
  for (let depth = 0; members.length > 0 && depth < (groups.nested === 'search' ? MAX_DEPTH : 1); depth += 1) {
    const { entries, isIncomplete } = await searchGroups(directory, groups.base, {
      scope: 'sub',
      filter: new AndFilter({ filters: [FilterParser.parseString(groups.filter), buildMembersFilter(groups, members)] }),
      attributes: [groups.name],
    });
    isLimited ||= isIncomplete;
    const newEntries = entries.filter(({ dn }) => !groupEntries.has(dn.toLowerCase()));
    for (const entry of newEntries) groupEntries.set(entry.dn.toLowerCase(), entry);
    members = isByName || groupEntries.size >= MAX_ENTRIES ? [] : newEntries.map(({ dn }) => dn);
  }
  const names = [...groupEntries.values()].flatMap((entry) => toTexts(entry, groups.name).slice(0, 1));
  const { names: selectedNames, isCut } = selectGroups(names, groups);
  // A search that returns the maximum number of entries may have omitted others, among them those that the settings select.
  return { names: selectedNames, isCut: isCut || isLimited || groupEntries.size >= MAX_ENTRIES };
}

/** @returns at most `MAX_ENTRIES` entries, and whether the directory has more, but does not return them */
async function searchGroups(
  directory: LdapDirectory,
  base: string,
  options: SearchOptions,
): Promise<{ entries: Entry[]; isIncomplete: boolean }> {
  try {
    const entries = await directory.list(base, options, MAX_ENTRIES);
    return { entries: entries.slice(0, MAX_ENTRIES), isIncomplete: false };
  } catch (error) {
    if (!(error instanceof LdapRefused)) throw error;
    // The library returns the entries up to the directory's own limit only to a search with a limit, and then hides the result code.
    // Other directories refuse pages, or allow one search with pages at a time on a connection.
    const entries = await directory.search(base, { ...options, sizeLimit: MAX_ENTRIES });
    return { entries, isIncomplete: error.code === SIZE_LIMIT_EXCEEDED };
  }
}

function buildMembersFilter({ member, nested }: LdapGroups, values: readonly string[]): Filter {
  const filters = values.map((value) =>
    nested === 'rule'
      ? new ExtensibleFilter({ matchType: member, rule: IN_CHAIN, value })
      : new EqualityFilter({ attribute: member, value }),
  );
  return new OrFilter({ filters });
}
