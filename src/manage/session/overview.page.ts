/** The overview of the account area (MAN-2), also shown after a failed change. */
import { Injectable } from '@nestjs/common';
import { CredentialFreeze } from '../../accounts/account/credential-freeze.js';
import type { FactorCounts } from '../../accounts/account/factor-counts.js';
import { Factors } from '../../mfa/factors.js';
import { toCount, hasFactor, isSecondFactor, countRecoveryCodes } from '../../mfa/held-factors.js';
import { PasswordProof, type PasswordLocation } from '../../accounts/password/proof.js';
import { toSpecifiedCounts } from '../../contract/mfa-fields.js';
import type { ManageState } from '../../contract/manage-state.js';
import { PATHS } from '../../contract/paths.js';
import type { CallFailed } from '../../gateway/http/calls.js';
import type { PageOutcome } from '../../gateway/page/outcome.js';
import type { LastChange } from './last-change.js';
import { AccountSummary } from './account-summary.js';
import { ManagePages, toFailedOptions } from './manage-pages.js';
import type { ManageContext } from './manage-session.js';
import { findProtection } from './protection.js';
import { WaysIn } from './ways-in.js';
import { defined } from '../../config/defined.js';

/** Result of the last change. */
export interface OverviewStatus extends LastChange {
  failure?: CallFailed;
}

interface ProtectionFacts {
  counts: FactorCounts;
  codesUnseen: boolean;
  ways: Pick<ManageState, 'ways_in'>;
  email: Pick<ManageState, 'email'>;
  hasPassword: boolean;
}

@Injectable()
export class OverviewPage {
  constructor(
    private readonly pages: ManagePages,
    private readonly factors: Factors,
    private readonly passwords: PasswordProof,
    private readonly freeze: CredentialFreeze,
    private readonly ways: WaysIn,
    private readonly summary: AccountSummary,
  ) {}

  async show(manageContext: ManageContext, { status, factor, oauthError, failure }: OverviewStatus): Promise<PageOutcome> {
    const { id, username } = manageContext.account;
    const [counts, { unseen: codesUnseen }, { location: password, isManagedElsewhere }, freeze, buildSummary] = await Promise.all(
      [
        this.factors.readCounts(id),
        this.factors.recoveryCodes.countLeft(id),
        this.passwords.locate(id),
        this.freeze.find(id),
        this.summary.load(manageContext),
      ],
    );
    const providers = await this.ways.listConnections(id, password?.at === 'provider' ? password.issuer : null);
    const heldKinds = this.factors.findUsableKinds(counts);
    const factors = heldKinds.map((kind) => ({ name: kind.name, count: toCount(counts, kind) }));
    const ways = await this.ways.buildState(manageContext.account, { counts, mayAdd: password?.at !== 'provider', status });
    const hasPassword = password?.at === 'here' || password?.at === 'source';
    const email = isManagedElsewhere ? {} : this.#buildEmailState(manageContext);
    const manage: ManageState = {
      ...(failure ? { error: failure.code } : {}),
      status: status ?? null,
      ...defined({ status_factor: factor }),
      username,
      password_set: hasPassword,
      ...toElsewhereState(password),
      ...(isManagedElsewhere ? { username_elsewhere: true as const } : {}),
      ...email,
      factors,
      ...ways,
      ...toSpecifiedCounts(factors),
      ...(hasFactor(counts) ? { recovery_codes_left: countRecoveryCodes(counts) } : {}),
      ...defined({ oauth_error: oauthError }),
      ...(freeze ? { frozen_hours: Math.ceil(freeze.seconds / 3600), frozen_until: freeze.endsAt.toISOString() } : {}),
      providers,
      features: this.pages.features,
      ...(freeze ? {} : this.#buildProtection(manageContext, { counts, codesUnseen, ways, email, hasPassword })),
      ...buildSummary(password, counts),
    };
    const options = failure ? { self: PATHS.manage, ...toFailedOptions(failure) } : {};
    return this.pages.buildPage(manageContext, { page: 'manage', ...this.pages.buildFrame(manageContext), manage }, options);
  }

  #buildProtection(
    { account }: ManageContext,
    { counts, codesUnseen, ways, email, hasPassword }: ProtectionFacts,
  ): Pick<ManageState, 'protection'> {
    const passkeys = (ways.ways_in ?? []).reduce((sum, { count }) => sum + count, 0);
    const factorKinds = this.factors.findUsableKinds(counts).filter(isSecondFactor);
    const protection = findProtection({
      hasPassword,
      factorKinds: factorKinds.length,
      isUnreachable: account.email === undefined && factorKinds.length > 0 && factorKinds.every(({ byMail }) => byMail),
      passkeys,
      recoveryCodes: countRecoveryCodes(counts),
      codesUnseen,
      canAddFactor: this.ways.offersFactor,
      email: email.email,
    });
    return protection === undefined ? {} : { protection };
  }

  #buildEmailState({ account: { email, emailVerified: verified } }: ManageContext): Pick<ManageState, 'email'> {
    return this.pages.features.includes('email') ? { email: { address: email ?? null, verified } } : {};
  }
}

function toElsewhereState(password: PasswordLocation): Pick<ManageState, 'password_elsewhere'> {
  if (password === null || password.at === 'here') return {};
  return { password_elsewhere: { url: password.at === 'provider' ? null : (password.changeUrl ?? null) } };
}
