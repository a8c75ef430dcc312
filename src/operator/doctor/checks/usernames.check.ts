/** Usernames that existed before the rules for new ones: they go on working, and the operator decides. */
import type { Check } from '../check.js';
import { hint, ok } from '../finding.js';

export const usernamesCheck: Check = {
  title: 'Usernames',
  async run(examined) {
    const { seen } = await examined.database();
    if (seen.state !== 'open') return [];
    const { addresses, lookAlikes } = seen.names;
    const findings = [
      ...(addresses.length === 0
        ? []
        : [
            hint(
              `Usernames are the e-mail address of another account: ${addresses.join(', ')}.`,
              'Ask one of the two to change it: apps may take one person for the other.',
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
    ];
    return findings.length > 0 ? findings : [ok('No username is taken for another one.')];
  },
};
