/** The ways to sign in that the installation offers beside passwords, and those of them that are kinds of factor. */
import { Inject, Injectable } from '@nestjs/common';
import type { Account } from '../../accounts/account/account.js';
import type { FactorCounts } from '../../accounts/account/factor-counts.js';
import { ExternalIdentities } from '../../accounts/identities/external-identities.js';
import type { OfferedWays } from '../../accounts/identities/ways-in.js';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import type { ManageProviderState, ManageState, ManageStatus } from '../../contract/manage-state.js';
import { toCount, isSecondFactor } from '../../mfa/held-factors.js';
import { FactorRegistry, KINDS } from '../../mfa/registry.js';
import { IdentityProviders } from '../../providers/identity-providers.port.js';

interface Shown {
  counts: FactorCounts;
  /** The person may set them up; otherwise only those that are there are shown. */
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

  /** One of them has to stay. */
  offered(): OfferedWays {
    return { providers: this.providers.list().map(({ id }) => id), passkeys: this.config.passkeys.mode !== 'off' };
  }

  /** A second factor can be set up here. */
  get offersFactor(): boolean {
    return KINDS.some((kind) => this.registry.isOfferedAtSignIn(kind));
  }

  /** The configured providers, then connected ones that are no longer configured: they can still be disconnected. */
  async connections(accountId: string, stays: string | null): Promise<ManageProviderState[]> {
    const connections = new Map((await this.identities.list(accountId)).map((connection) => [connection.provider, connection]));
    const offered = this.providers.list().map(({ id, name, brand }): ManageProviderState => {
      const connection = connections.get(id);
      connections.delete(id);
      const of = { connected: connection !== undefined, label: connection?.label ?? null };
      return { id, name, brand, offered: true, ...of, ...(connection && connection.issuer === stays ? { stays: true } : {}) };
    });
    const others = [...connections.values()].map(({ provider: id, label, issuer }): ManageProviderState => {
      return { id, name: id, brand: null, offered: false, connected: true, label, ...(issuer === stays ? { stays: true } : {}) };
    });
    return [...offered, ...others];
  }

  /** Members of the overview. Browsers hear of changes only: of entries and names that they keep too. */
  async shown(account: Account, { counts, mayAdd, status }: Shown): Promise<Pick<ManageState, 'ways_in' | 'passkeys'>> {
    const ways = KINDS.filter((kind) => !isSecondFactor(kind) && this.registry.isUsed(kind)).flatMap((kind) => {
      const count = toCount(counts, kind);
      return count > 0 || (mayAdd && this.registry.isOffered(kind)) ? [{ name: kind.name, count }] : [];
    });
    const isChange = status === 'mfa-removed' || status === 'username-success';
    const passkeys = isChange ? await this.registry.passkeys.accepted(account) : null;
    return { ...(ways.length > 0 ? { ways_in: ways } : {}), ...(passkeys ? { passkeys } : {}) };
  }
}
