/**
 * Finds usernames that violate the rules for new usernames, and verified e-mail addresses that several accounts share. These usernames
 * are older than the rules, and keep working until an operator decides. A finding names only a few of them.
 */
import { hasContents } from '../../../database/inspection/inspect-database.js';
import type { Check } from '../check.js';
import { hint, ok, type Finding } from '../finding.js';

const MAX_NAMES = 20;

export const usernamesCheck: Check = {
  title: 'Usernames',
  async run(examination) {
    const { inspection } = await examination.database();
    if (inspection.state !== 'open' || !hasContents(inspection)) return [];
    const { addresses, lookAlikes, maybeReservedNames } = inspection.names;
    const sharedAddresses = examination.config.login.byEmail ? inspection.names.sharedAddresses : [];
    const reservedNames = maybeReservedNames.filter((username) => examination.reservedUsernames.includes(username));
    const findings = [
      ...toHint(addresses, {
        what: (names) => `These usernames are the e-mail address of another account: ${names}.`,
        fix: 'Ask one of the two owners to change the username or the address: apps may confuse the two people.',
      }),
      ...toHint(sharedAddresses, {
        what: (names) => `These verified e-mail addresses belong to several accounts: ${names}.`,
        fix: 'The owners can sign in only with their usernames, not with such an address (LOGIN_WITH): give all but one of these accounts a different address.',
      }),
      ...toHint(lookAlikes, {
        what: (names) => `These usernames look like the username of another account: ${names}.`,
        fix: 'If an account imitates another, disable it, or ask its owner to choose another username.',
      }),
      ...toHint(reservedNames, {
        what: (names) =>
          `${reservedNames.length === 1 ? '1 account has' : `${reservedNames.length} accounts have`} a username that is reserved (RESERVED_USERNAMES): ${names}.`,
        fix: 'Look at these accounts with foyer account show USERNAME. If an account claims to speak for your organisation, disable it, or ask its owner to choose another username.',
      }),
    ];
    return findings.length > 0
      ? findings
      : [ok('No username looks like another username, is the e-mail address of another account, or is reserved.')];
  },
};

function toHint(names: readonly string[], { what, fix }: { what: (names: string) => string; fix: string }): Finding[] {
  return names.length === 0 ? [] : [hint(what(toNameList(names)), fix)];
}

/** Lists at most 20 of the names, which are usernames or e-mail addresses. */
function toNameList(names: readonly string[]): string {
  const list = names.slice(0, MAX_NAMES).join(', ');
  return names.length > MAX_NAMES ? `${list} and ${names.length - MAX_NAMES} more` : list;
}
