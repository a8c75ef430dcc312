/**
 * Attributes that were stored before `ACCOUNT_SCHEMA` became narrower: they go on working, and the next change has to fit. And
 * scopes of `CLAIMS` for which the consent page has no words, and where its claims of access tokens are.
 */
import type { Config } from '../../../config/config.js';
import { isBuiltInScope } from '../../../contract/scopes.js';
import type { Check } from '../check.js';
import { hint, ok, type Finding } from '../finding.js';

export const attributesCheck: Check = {
  title: 'Attributes',
  async run(examined) {
    const ofClaims = [...wordlessScopes(examined.config.consent), ...inAccessTokens(examined.config.consent)];
    const { seen } = await examined.database();
    if (seen.state !== 'open' || seen.missing.length > 0) return ofClaims;
    const { accounts, lookedAt } = seen.unfit;
    if (accounts === 0) return [...ofClaims, ok('The attributes of all accounts that were looked at fit ACCOUNT_SCHEMA.')];
    return [
      ...ofClaims,
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

/** Hydra's setting cannot be read from outside. */
function inAccessTokens({ claims }: Config['consent']): Finding[] {
  const names = claims.filter(({ tokens }) => tokens.includes('access_token')).map(({ claim }) => JSON.stringify(claim));
  if (names.length === 0) return [];
  return [
    ok(
      `CLAIMS puts ${names.join(', ')} into access tokens: introspection and JWTs have them below ext. An app that finds none at the top of a JWT needs the names in Hydra's oauth2.allowed_top_level_claims.`,
    ),
  ];
}
