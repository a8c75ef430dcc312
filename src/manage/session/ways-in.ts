/** The ways to sign in besides passwords: providers and passkeys. */
import { Inject, Injectable } from '@nestjs/common';
import type { Account } from '../../accounts/account/account.js';
import type { FactorCounts } from '../../accounts/account/factor-counts.js';
import { ExternalIdentities } from '../../accounts/identities/external-identities.js';
import type { OfferedMethods } from '../../accounts/identities/sign-in-methods.js';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import type { ManageProviderState, ManageState, ManageStatus } from '../../contract/manage-state.js';
import { toCount, isSecondFactor } from '../../mfa/held-factors.js';
import { FactorRegistry, KINDS } from '../../mfa/registry.js';
import { IdentityProviders } from '../../providers/identity-providers.port.js';

interface StateParts {
  counts: FactorCounts;
  /** Whether the person may add ways. Otherwise only existing ways are shown. */
  mayAdd: boolean;
  status: ManageStatus | undefined;
}

@Injectable()
export class WaysIn {
  constructor(
    readonly providers: IdentityProviders,
    private readonly registry: FactorRegistry,
    private readonly identities: ExternalIdentities,
    @Inject(CONFIG) private readonly config: Pick<Config, 'passkeys'>,
  ) {}

  /** @returns the ways that the installation offers; an account has to keep one of them, or a password */
  listOffered(): OfferedMethods {
    return { providers: this.providers.list().map(({ id }) => id), passkeys: this.config.passkeys.mode !== 'off' };
  }

  /** Whether people can set up a second factor in this installation. */
  get offersFactor(): boolean {
    return KINDS.some((kind) => this.registry.isOfferedAtSignIn(kind));
  }

  /**
   * @returns the configured providers, then connected providers that are no longer configured, which can still be disconnected
   * @param ownIssuer issuer of the provider that the account comes from, which stays connected
   */
  async listConnections(accountId: string, ownIssuer: string | null): Promise<ManageProviderState[]> {
    const connections = new Map((await this.identities.list(accountId)).map((connection) => [connection.provider, connection]));
    const configuredStates = this.providers.list().map(({ id, name, brand }): ManageProviderState => {
      const connection = connections.get(id);
      connections.delete(id);
      const state = { connected: connection !== undefined, label: connection?.label ?? null };
      return {
        id,
        name,
        brand,
        offered: true,
        ...state,
        ...(connection && connection.issuer === ownIssuer ? { stays: true } : {}),
      };
    });
    const otherStates = [...connections.values()].map(({ provider: id, label, issuer }): ManageProviderState => {
      return {
        id,
        name: id,
        brand: null,
        offered: false,
        connected: true,
        label,
        ...(issuer === ownIssuer ? { stays: true } : {}),
      };
    });
    return [...configuredStates, ...otherStates];
  }

  /**
   * @returns members of the overview. `passkeys` is present only after the removal of a factor or passkey, or a change of the
   * username, so that browsers correct the passkeys that they store
   */
  async buildState(account: Account, { counts, mayAdd, status }: StateParts): Promise<Pick<ManageState, 'ways_in' | 'passkeys'>> {
    const ways = KINDS.filter((kind) => !isSecondFactor(kind) && this.registry.isUsed(kind)).flatMap((kind) => {
      const count = toCount(counts, kind);
      return count > 0 || (mayAdd && this.registry.isOffered(kind)) ? [{ name: kind.name, count }] : [];
    });
    const isChange = status === 'mfa-removed' || status === 'username-success';
    const passkeys = isChange ? await this.registry.passkeys.findAcceptedState(account) : null;
    return { ...(ways.length > 0 ? { ways_in: ways } : {}), ...(passkeys ? { passkeys } : {}) };
  }
}
