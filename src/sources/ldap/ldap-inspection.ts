/** Finds, for the doctor, settings that name attributes which people or groups do not have. */
import { AndFilter, FilterParser, PresenceFilter, type Entry, type Filter } from 'ldapts';
import type { LdapGroups, LdapSettings } from '../../config/source-settings.js';
import type { GroupsInspection, MissingAttribute } from '../user-source.port.js';
import { LdapRefused } from './ldap-connection.js';
import type { LdapDirectory } from './ldap-directory.js';
import { toSubject, toTexts } from './ldap-entry.js';

/** Requests entries without attributes (RFC 4511, section 4.5.1.8). */
const NO_ATTRIBUTES = '1.1';

/** @returns the attributes that a first sign-in needs and at least one person lacks, and other attributes that all people lack */
export function findMissingAttributes(entries: readonly Entry[], settings: LdapSettings): MissingAttribute[] {
  const { subject, username, login, displayName, email, attributes } = settings;
  const countPeopleWithout = (has: (entry: Entry) => boolean) => entries.filter((entry) => !has(entry)).length;
  const neededAttributes = [
    { setting: 'subject', attribute: subject, people: countPeopleWithout((entry) => toSubject(entry, subject) !== null) },
    { setting: 'username', attribute: username, people: countPeopleWithout((entry) => toTexts(entry, username).length > 0) },
    {
      setting: 'login',
      attribute: login.join(', '),
      people: countPeopleWithout((entry) => login.some((name) => toTexts(entry, name).length > 0)),
    },
  ].map((one) => ({ ...one, isNeeded: true }));
  const optionalAttributes = [
    ...(login.length > 1 ? login.map((attribute) => ({ setting: 'login', attribute })) : []),
    { setting: 'display_name', attribute: displayName },
    { setting: 'email', attribute: email },
    ...Object.entries(attributes).map(([name, attribute]) => ({ setting: `attributes: ${name}`, attribute })),
  ].map((one) => ({ ...one, people: countPeopleWithout((entry) => toTexts(entry, one.attribute).length > 0), isNeeded: false }));
  return [
    ...neededAttributes.filter(({ people }) => people > 0),
    ...optionalAttributes.filter(({ people }) => people > 0 && people === entries.length),
  ];
}

/** @throws SourceUnavailable */
export async function inspectGroups(directory: LdapDirectory, groups: LdapGroups): Promise<GroupsInspection> {
  const groupFilter = FilterParser.parseString(groups.filter);
  // Reads one page of entries without attributes, because a group may have very many members.
  const hasEntries = async (filter: Filter) =>
    (await directory.list(groups.base, { scope: 'sub', filter, attributes: [NO_ATTRIBUTES] }, 0)).length > 0;
  try {
    if (!(await hasEntries(groupFilter))) return { isEmpty: true, missingAttributes: [] };
    const missingAttributes = [];
    for (const [setting, attribute] of Object.entries({ name: groups.name, member: groups.member })) {
      const attributeFilter = new AndFilter({ filters: [groupFilter, new PresenceFilter({ attribute })] });
      if (!(await hasEntries(attributeFilter))) missingAttributes.push({ setting, attribute });
    }
    return { isEmpty: false, missingAttributes };
  } catch (error) {
    if (error instanceof LdapRefused) return { fault: error.message };
    throw error;
  }
}
