/** Usernames that existed before the rules for new ones: they go on working, and the operator decides. */
import type { Check } from '../check.js';
import { hint, ok, type Finding } from '../finding.js';

const MOST_SHOWN = 20;

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
        what: (names) => `Usernames are the e-mail address of another account: ${names}.`,
        fix: 'Ask one of the two to change it: apps may take one person for the other.',
      }),
      ...toHint(shared, {
        what: (names) => `Several accounts have the same verified e-mail address: ${names}.`,
        fix: 'Nobody can sign in with such an address (LOGIN_WITH), only with the username: give all accounts but one another address.',
      }),
      ...toHint(lookAlikes, {
        what: (names) => `Usernames look like that of another account: ${names}.`,
        fix: 'If one of them pretends to be the other, disable it or ask for another name.',
      }),
      ...toHint(reserved, {
        what: (names) =>
          `${reserved.length === 1 ? '1 account has' : `${reserved.length} accounts have`} a username that is reserved (RESERVED_USERNAMES): ${names}.`,
        fix: 'Look at them with account show USERNAME. If one pretends to speak for you, disable it or give it another name.',
      }),
    ];
    return findings.length > 0 ? findings : [ok('No username is taken for another one.')];
  },
};

function toHint(names: readonly string[], { what, fix }: { what: (names: string) => string; fix: string }): Finding[] {
  return names.length === 0 ? [] : [hint(what(toNames(names)), fix)];
}

/** The first ones, oldest account first. */
function toNames(reserved: readonly string[]): string {
  const shown = reserved.slice(0, MOST_SHOWN).join(', ');
  return reserved.length > MOST_SHOWN ? `${shown} and ${reserved.length - MOST_SHOWN} more` : shown;
}
