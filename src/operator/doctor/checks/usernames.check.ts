/** Finds usernames that break the rules for new ones. These usernames are older than the rules, and keep working until an operator decides. */
import type { Check } from '../check.js';
import { hint, ok, type Finding } from '../finding.js';

const MAX_SHOWN = 20;

export const usernamesCheck: Check = {
  title: 'Usernames',
  async run(examined) {
    const { seen } = await examined.database();
    if (seen.state !== 'open') return [];
    const { addresses, lookAlikes, maybeReserved } = seen.names;
    const shared = examined.config.login.byEmail ? seen.names.shared : [];
    const reserved = maybeReserved.filter((username) => examined.reservedUsernames.includes(username));
    const findings = [
      ...toHint(addresses, {
        what: (names) => `These usernames are the e-mail address of another account: ${names}.`,
        fix: 'Ask one of the two owners to change the username or the address: apps may take one person for the other.',
      }),
      ...toHint(shared, {
        what: (names) => `These verified e-mail addresses belong to several accounts: ${names}.`,
        fix: 'Nobody can sign in with such an address, only with the username (LOGIN_WITH): give each of these accounts except one a different address.',
      }),
      ...toHint(lookAlikes, {
        what: (names) => `These usernames look like the username of another account: ${names}.`,
        fix: 'If one of two such accounts pretends to be the other, disable it, or ask its owner for another username.',
      }),
      ...toHint(reserved, {
        what: (names) =>
          `${reserved.length === 1 ? '1 account has' : `${reserved.length} accounts have`} a username that is reserved (RESERVED_USERNAMES): ${names}.`,
        fix: 'Look at these accounts with foyer account show USERNAME. If one pretends to speak for you, disable it, or ask its owner for another username.',
      }),
    ];
    return findings.length > 0
      ? findings
      : [ok('No username looks like another one, is an e-mail address of another account, or is reserved.')];
  },
};

function toHint(names: readonly string[], { what, fix }: { what: (names: string) => string; fix: string }): Finding[] {
  return names.length === 0 ? [] : [hint(what(toNameList(names)), fix)];
}

/** Lists the first names; a name is a username or an e-mail address. */
function toNameList(names: readonly string[]): string {
  const shown = names.slice(0, MAX_SHOWN).join(', ');
  return names.length > MAX_SHOWN ? `${shown} and ${names.length - MAX_SHOWN} more` : shown;
}
