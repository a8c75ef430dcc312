/**
 * Attributes that were stored before `ACCOUNT_SCHEMA` became narrower: they go on working, and the next change has to fit. And
 * scopes of `CLAIMS` for which the consent page has no words.
 */
import type { Config } from '../../../config/config.js';
import { isBuiltInScope } from '../../../contract/scopes.js';
import type { Check } from '../check.js';
import { hint, ok } from '../finding.js';
import type { Finding } from '../finding.js';

export const attributesCheck: Check = {
  title: 'Attributes',
  async run(examined) {
    const wordless = wordlessScopes(examined.config.consent);
    const { seen } = await examined.database();
    if (seen.state !== 'open' || seen.missing.length > 0) return wordless;
    const { accounts, lookedAt } = seen.unfit;
    if (accounts === 0) return [...wordless, ok('The attributes of all accounts that were looked at fit ACCOUNT_SCHEMA.')];
    return [
      ...wordless,
      hint(
        `The attributes of ${accounts} of ${lookedAt} accounts do not fit ACCOUNT_SCHEMA: apps still get them, and the next change of one is refused until it fits.`,
        'Widen ACCOUNT_SCHEMA, or change these accounts through the operator API; account export writes them all.',
      ),
    ];
  },
};

function wordlessScopes({ claims, scopes }: Config['consent']): Finding[] {
  const used = [...new Set(claims.map(({ scope }) => scope))];
  return used
    .filter((scope) => !isBuiltInScope(scope) && !Object.hasOwn(scopes, scope))
    .map((scope) =>
      hint(
        `CLAIMS hands out data with the scope ${JSON.stringify(scope)}, which the consent page can only show by this name.`,
        'Give it a title and a description in CONSENT_SCOPES.',
      ),
    );
}
