/** Usernames that existed before the rules for new ones: they go on working, and the operator decides. */
import type { Check } from '../check.js';
import { hint, ok } from '../finding.js';

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
      ...(addresses.length === 0
        ? []
        : [
            hint(
              `Usernames are the e-mail address of another account: ${addresses.join(', ')}.`,
              'Ask one of the two to change it: apps may take one person for the other.',
            ),
          ]),
      ...(shared.length === 0
        ? []
        : [
            hint(
              `Several accounts have the same verified e-mail address: ${shared.join(', ')}.`,
              'Nobody can sign in with such an address (LOGIN_WITH), only with the username: give all accounts but one another address.',
            ),
          ]),
      ...(lookAlikes.length === 0
        ? []
        : [
            hint(
              `Usernames look like that of another account: ${lookAlikes.join(', ')}.`,
              'If one of them pretends to be the other, disable it or ask for another name.',
            ),
          ]),
      ...(reserved.length === 0
        ? []
        : [
            hint(
              `${reserved.length === 1 ? '1 account has' : `${reserved.length} accounts have`} a username that is reserved (RESERVED_USERNAMES): ${namesOf(reserved)}.`,
              'Look at them with account show USERNAME. If one pretends to speak for you, disable it or give it another name.',
            ),
          ]),
    ];
    return findings.length > 0 ? findings : [ok('No username is taken for another one.')];
  },
};

/** The first ones, oldest account first. */
function namesOf(reserved: readonly string[]): string {
  const shown = reserved.slice(0, MOST_SHOWN).join(', ');
  return reserved.length > MOST_SHOWN ? `${shown} and ${reserved.length - MOST_SHOWN} more` : shown;
}
