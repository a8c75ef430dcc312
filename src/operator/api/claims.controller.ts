/** Shows the claims about a person that a client would receive. */
import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { MAX_CLAIM_BYTES, findScopeClaims, mergeClaims, measureSize } from '../../accounts/attributes/claims.js';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { HydraPort } from '../../hydra/hydra.port.js';
import { findClientIdFault } from '../clients/client-rules.js';
import { OPERATOR_API, type ClaimsAnswer } from '../wire.js';
import { ClaimsQuery } from './account-bodies.js';
import { AccountLookup } from './account-lookup.js';
import { OperatorFault } from './operator-fault.js';
import { Operation } from './rights.guard.js';

@Controller(`${OPERATOR_API}/accounts/:id/claims`)
export class ClaimsController {
  constructor(
    private readonly lookup: AccountLookup,
    private readonly hydra: HydraPort,
    @Inject(CONFIG) private readonly config: Pick<Config, 'consent'>,
  ) {}

  /**
   * Shows which claims about a person a client receives if all its scopes are granted.
   * @throws 404 account_not_found client_not_found
   */
  @Get()
  @Operation('claims.show')
  async show(@Param('id') id: string, @Query() { client }: ClaimsQuery): Promise<ClaimsAnswer> {
    const account = await this.lookup.get(id);
    const scopes = findClientIdFault(client) === null ? await this.hydra.getClientScopes(client) : null;
    if (scopes === null)
      throw new OperatorFault(404, 'client_not_found', 'Hydra has no client with this id.', { field: 'client' });
    const { claims: rules } = this.config.consent;
    const claims = mergeClaims(account, scopes, rules);
    return {
      scopes: scopes.map((scope) => ({ scope, claims: findScopeClaims(account, scope, rules).map(({ rule }) => rule.claim) })),
      id_token: claims.idToken,
      access_token: claims.accessToken,
      bytes: measureSize(claims),
      most_bytes: MAX_CLAIM_BYTES,
    };
  }
}
