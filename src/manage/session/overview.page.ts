/** The overview of the account area (MAN-2), also shown after a change that failed. */
import { Injectable } from '@nestjs/common';
import { CredentialFreeze } from '../../accounts/account/credential-freeze.js';
import { ExternalIdentities } from '../../accounts/identities/external-identities.js';
import { Factors } from '../../mfa/factors.js';
import { countOf, hasFactor, recoveryCodesLeft } from '../../mfa/held-factors.js';
import { PasswordProof } from '../../accounts/password/proof.js';
import type { PasswordLocation } from '../../accounts/password/proof.js';
import { specifiedCounts } from '../../contract/mfa-fields.js';
import type { ManageProviderState, ManageState } from '../../contract/manage-state.js';
import { PATHS } from '../../contract/paths.js';
import type { CallFailed } from '../../gateway/http/calls.js';
import type { PageOutcome } from '../../gateway/page/outcome.js';
import type { LastChange } from './last-change.js';
import { ManagePages, failedOptions } from './manage-pages.js';
import type { ManageContext } from './manage-session.js';
import { WaysIn } from './ways-in.js';

/** Result of the last change. */
export interface OverviewStatus extends LastChange {
  failure?: CallFailed;
}

@Injectable()
export class OverviewPage {
  constructor(
    private readonly pages: ManagePages,
    private readonly factors: Factors,
    private readonly passwords: PasswordProof,
    private readonly identities: ExternalIdentities,
    private readonly freeze: CredentialFreeze,
    private readonly ways: WaysIn,
  ) {}

  async show(current: ManageContext, { status, factor, oauthError, failure }: OverviewStatus): Promise<PageOutcome> {
    const { id, username } = current.account;
    const [counts, password, frozen] = await Promise.all([
      this.factors.status(id),
      this.passwords.locationOf(id),
      this.freeze.find(id),
    ]);
    const providers = await this.#providers(id, password?.at === 'provider' ? password.issuer : null);
    const held = this.factors.heldKinds(counts);
    const factors = held.map((kind) => ({ name: kind.name, count: countOf(counts, kind) }));
    const ways = await this.ways.shown(current.account, { counts, mayAdd: password?.at !== 'provider', status });
    const isElsewhere = password !== null && password.at !== 'here';
    const manage: ManageState = {
      ...(failure ? { error: failure.code } : {}),
      status: status ?? null,
      ...(factor === undefined ? {} : { status_factor: factor }),
      username,
      password_set: password !== null && password.at !== 'provider',
      ...(isElsewhere ? { password_elsewhere: { url: urlOf(password) }, username_elsewhere: true } : {}),
      ...(isElsewhere ? {} : this.#email(current)),
      factors,
      ...ways,
      ...specifiedCounts(factors),
      ...(hasFactor(counts) ? { recovery_codes_left: recoveryCodesLeft(counts) } : {}),
      ...(oauthError === undefined ? {} : { oauth_error: oauthError }),
      ...(frozen ? { frozen_hours: Math.ceil(frozen.seconds / 3600), frozen_until: frozen.until.toISOString() } : {}),
      providers,
      features: this.pages.features,
    };
    const options = failure ? { self: PATHS.manage, ...failedOptions(failure) } : {};
    return this.pages.page(current, { page: 'manage', ...this.pages.frame(current), manage }, options);
  }

  #email({ account: { email, emailVerified: verified } }: ManageContext): Pick<ManageState, 'email'> {
    return this.pages.features.includes('email') ? { email: { address: email ?? null, verified } } : {};
  }

  /** The configured providers, then connected ones that are no longer configured: they can still be disconnected. */
  async #providers(accountId: string, stays: string | null): Promise<ManageProviderState[]> {
    const connections = new Map((await this.identities.list(accountId)).map((connection) => [connection.provider, connection]));
    const offered = this.ways.providers.list().map(({ id, name, brand }): ManageProviderState => {
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
}

function urlOf(password: Exclude<PasswordLocation, null>): string | null {
  return password.at === 'source' ? (password.changeUrl ?? null) : null;
}
