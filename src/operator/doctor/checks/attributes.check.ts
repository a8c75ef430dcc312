/**
 * Checks whether stored attributes still fit `ACCOUNT_SCHEMA`. Apps still receive attributes that do not fit, but a change is
 * refused unless all attributes of the account fit afterwards. Also finds scopes of `CLAIMS` without texts for the consent page,
 * and reports where apps find claims of access tokens.
 */
import type { Config } from '../../../config/config.js';
import { isBuiltInScope } from '../../../contract/scopes.js';
import { hasContents } from '../../../database/inspection/inspect-database.js';
import type { Check } from '../check.js';
import { hint, ok, type Finding } from '../finding.js';

export const attributesCheck: Check = {
  title: 'Attributes',
  async run(examination) {
    const claimFindings = [
      ...findScopesWithoutTexts(examination.config.consent),
      ...describeAccessTokens(examination.config.consent),
    ];
    const { inspection } = await examination.database();
    if (inspection.state !== 'open' || !hasContents(inspection)) return claimFindings;
    const { accounts, examinedAccounts } = inspection.unfitAttributes;
    if (accounts === 0) return [...claimFindings, ok('The attributes of all accounts that were checked fit ACCOUNT_SCHEMA.')];
    return [
      ...claimFindings,
      hint(
        `${accounts} of ${examinedAccounts} checked accounts ${accounts === 1 ? 'has' : 'have'} attributes that do not fit ACCOUNT_SCHEMA: apps still receive them, but a change to the attributes of such an account is refused unless all of them fit afterwards.`,
        'Allow more in ACCOUNT_SCHEMA, or correct these accounts through the operator API; foyer account export shows all attributes.',
      ),
    ];
  },
};

function findScopesWithoutTexts({ claims, scopes }: Config['consent']): Finding[] {
  const scopeNames = [...new Set(claims.map(({ scope }) => scope))];
  return scopeNames
    .filter((scope) => !isBuiltInScope(scope) && !Object.hasOwn(scopes, scope))
    .map((scope) =>
      hint(
        `CLAIMS releases claims for the scope ${JSON.stringify(scope)}, for which the consent page has no text: it shows the name of the scope.`,
        'Add a title and a description of the scope to CONSENT_SCOPES.',
      ),
    );
}

/** Only reports, because the doctor cannot see whether Hydra allows claims at the top level of a JWT. */
function describeAccessTokens({ claims }: Config['consent']): Finding[] {
  const names = claims.filter(({ tokens }) => tokens.includes('access_token')).map(({ claim }) => JSON.stringify(claim));
  if (names.length === 0) return [];
  return [
    ok(
      `CLAIMS adds ${names.join(', ')} to access tokens, in introspection and in JWTs under ext. For an app that expects them at the top level of a JWT, add the names to oauth2.allowed_top_level_claims of Hydra.`,
    ),
  ];
}
