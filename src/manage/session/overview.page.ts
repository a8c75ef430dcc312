/** The overview of the account area (MAN-2), also shown after a change that failed. */
import { Injectable } from '@nestjs/common';
import { AccountDeletions } from '../../accounts/account/account-deletions.js';
import { CredentialFreeze } from '../../accounts/account/credential-freeze.js';
import { Factors } from '../../mfa/factors.js';
import { countOf, hasFactor, recoveryCodesLeft } from '../../mfa/held-factors.js';
import { PasswordProof } from '../../accounts/password/proof.js';
import type { PasswordLocation } from '../../accounts/password/proof.js';
import { specifiedCounts } from '../../contract/mfa-fields.js';
import type { ManageState } from '../../contract/manage-state.js';
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
    private readonly freeze: CredentialFreeze,
    private readonly ways: WaysIn,
    private readonly deletions: AccountDeletions,
  ) {}

  async show(current: ManageContext, { status, factor, oauthError, failure }: OverviewStatus): Promise<PageOutcome> {
    const { id, username } = current.account;
    const [counts, password, frozen, dueAt] = await Promise.all([
      this.factors.status(id),
      this.passwords.locationOf(id),
      this.freeze.find(id),
      this.deletions.find(id),
    ]);
    const providers = await this.ways.connections(id, password?.at === 'provider' ? password.issuer : null);
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
      ...(isElsewhere ? { password_elsewhere: { url: urlOf(password) }, username_elsewhere: true } : this.#email(current)),
      factors,
      ...ways,
      ...specifiedCounts(factors),
      ...(hasFactor(counts) ? { recovery_codes_left: recoveryCodesLeft(counts) } : {}),
      ...(oauthError === undefined ? {} : { oauth_error: oauthError }),
      ...(frozen ? { frozen_hours: Math.ceil(frozen.seconds / 3600), frozen_until: frozen.until.toISOString() } : {}),
      ...(dueAt ? { deletion_due_at: dueAt.toISOString() } : {}),
      providers,
      features: this.pages.features,
    };
    const options = failure ? { self: PATHS.manage, ...failedOptions(failure) } : {};
    return this.pages.page(current, { page: 'manage', ...this.pages.frame(current), manage }, options);
  }

  #email({ account: { email, emailVerified: verified } }: ManageContext): Pick<ManageState, 'email'> {
    return this.pages.features.includes('email') ? { email: { address: email ?? null, verified } } : {};
  }
}

function urlOf(password: Exclude<PasswordLocation, null>): string | null {
  return password.at === 'source' ? (password.changeUrl ?? null) : null;
}
