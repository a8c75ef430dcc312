/** Attributes that were stored before `ACCOUNT_SCHEMA` became narrower: they go on working, and the next change has to fit. */
import type { Check } from '../check.js';
import { hint, ok } from '../finding.js';

export const attributesCheck: Check = {
  title: 'Attributes',
  async run(examined) {
    const { seen } = await examined.database();
    if (seen.state !== 'open' || seen.missing.length > 0) return [];
    const { accounts, lookedAt } = seen.unfit;
    if (accounts === 0) return [ok('The attributes of all accounts that were looked at fit ACCOUNT_SCHEMA.')];
    return [
      hint(
        `The attributes of ${accounts} of ${lookedAt} accounts do not fit ACCOUNT_SCHEMA: apps still get them, and the next change of one is refused until it fits.`,
        'Widen ACCOUNT_SCHEMA, or change these accounts through the operator API; account export writes them all.',
      ),
    ];
  },
};
