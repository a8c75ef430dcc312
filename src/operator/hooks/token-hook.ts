/** Decides whether Hydra may issue a token, and with which claims (docs/token-hook.md). */
import { Inject, Injectable } from '@nestjs/common';
import { buildClaims, ClaimsTooLarge } from '../../accounts/attributes/claims.js';
import { SourceChecks } from '../../accounts/identities/source-checks.js';
import { TokenOwners, type TokenOwner } from '../../accounts/sessions/token-owners.js';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import type { Claims, HookRequest } from './hook-request.js';

/** `session` replaces the claims that Hydra sent: those of the access token, and those of the ID token and of userinfo. */
export type HookVerdict =
  | { kind: 'renewed'; session: { access_token: Claims; id_token: Claims } }
  /** Hydra issues the token without changes. */
  | { kind: 'unchanged' }
  /** The user source of the person does not answer, and SOURCE_DOWN is `refuse`. */
  | { kind: 'source-down' }
  | { kind: 'claims-too-large'; accountId: string; bytes: number }
  | { kind: Exclude<TokenOwner['state'], 'active'> };

@Injectable()
export class TokenHook {
  constructor(
    private readonly owners: TokenOwners,
    private readonly checks: SourceChecks,
    @Inject(CONFIG) private readonly config: Pick<Config, 'consent'>,
  ) {}

  /** @param request null for a token without a person */
  async decide(request: HookRequest | null, requestId: string): Promise<HookVerdict> {
    if (request === null) return { kind: 'unchanged' };
    const owner = await this.#findOwner(request, requestId);
    if (owner === 'source-down') return { kind: 'source-down' };
    if (owner.state !== 'active') return { kind: owner.state };
    // When a code is redeemed, Hydra does not send the granted scopes, and the consent has just set the current claims.
    if (request.grantedScopes.length === 0) return { kind: 'unchanged' };
    return this.#renew(owner, request);
  }

  /** Queries the user source first if the stored state of the person is too old. */
  async #findOwner({ token }: HookRequest, requestId: string): Promise<TokenOwner | 'source-down'> {
    const owner = await this.owners.find(token);
    if (owner.state !== 'active' || owner.outdatedPerson === null) return owner;
    const check = await this.checks.check(owner.outdatedPerson, requestId);
    if (check === 'unavailable') return 'source-down';
    if (check === 'last-known') return owner;
    return check === 'left' ? { state: 'left' } : this.owners.find(token);
  }

  #renew({ account }: TokenOwner & { state: 'active' }, request: HookRequest): HookVerdict {
    const { claims } = this.config.consent;
    try {
      const { accessToken, idToken } = buildClaims(account, request.grantedScopes, claims);
      const configuredNames = new Set(claims.map(({ claim }) => claim));
      return {
        kind: 'renewed',
        session: {
          access_token: { ...removeNames(request.accessToken, configuredNames), ...accessToken },
          id_token: { ...removeNames(request.idToken, configuredNames), ...idToken },
        },
      };
    } catch (error) {
      if (!(error instanceof ClaimsTooLarge)) throw error;
      return { kind: 'claims-too-large', accountId: account.id, bytes: error.bytes };
    }
  }
}

/** Keeps the claims that others have added to a token, such as `sid`, which Hydra needs. */
function removeNames(claims: Claims, names: ReadonlySet<string>): Claims {
  return Object.fromEntries(Object.entries(claims).filter(([name]) => !names.has(name)));
}
