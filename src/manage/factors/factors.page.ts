/** The overview of the second factors and, for whoever is signed in, of the browsers that go without them (MAN-3). */
import { Injectable } from '@nestjs/common';
import { CredentialFreeze } from '../../accounts/account/credential-freeze.js';
import type { FactorCounts } from '../../accounts/account/factor-counts.js';
import type { ManageMfaState, ManagedFactorState } from '../../contract/manage-state.js';
import { PATHS } from '../../contract/paths.js';
import type { CallFailed } from '../../gateway/http/calls.js';
import type { PageOutcome } from '../../gateway/page/outcome.js';
import type { EnrollableFactor } from '../../mfa/factor.port.js';
import { Factors } from '../../mfa/factors.js';
import { RECOVERY_CODES } from '../../mfa/factors/recovery-codes/recovery-codes.records.js';
import { factorsIn, recoveryCodesLeft } from '../../mfa/held-factors.js';
import { FactorRegistry } from '../../mfa/registry.js';
import { ManagePages, failedOptions } from '../session/manage-pages.js';
import type { ManageContext } from '../session/manage-session.js';
import { OwnTrustedBrowsers } from '../session/own-trusted-browsers.js';
import { FactorRemoval } from './factor-removal.js';

@Injectable()
export class FactorsPage {
  constructor(
    private readonly pages: ManagePages,
    private readonly removal: FactorRemoval,
    private readonly factors: Factors,
    private readonly registry: FactorRegistry,
    private readonly freeze: CredentialFreeze,
    private readonly trusted: OwnTrustedBrowsers,
  ) {}

  async show(current: ManageContext, failure: CallFailed | null): Promise<PageOutcome> {
    const { account } = current;
    const [counts, codesUnseen, trusted, frozen, passkeys, ...factors] = await Promise.all([
      this.factors.status(account.id),
      this.factors.hasUnseenCodes(account.id),
      current.session.isSignedIn ? this.trusted.list(current) : [],
      this.freeze.find(account.id),
      this.registry.accepted(account),
      ...this.registry.enrollable.map((factor) => this.#managed(factor, account.id)),
    ]);
    const held = factorsIn(counts);
    const manage_mfa: ManageMfaState = {
      error: failure?.code ?? null,
      ...(passkeys ? { passkeys } : {}),
      factors: factors.filter(({ name, offered, entries }) => offered || (entries.length > 0 && this.#isUsed(name))),
      ...(held > 0 ? { recovery_codes: codesState(counts, codesUnseen) } : {}),
      ...(trusted.length > 0 ? { trusted_browsers: trusted } : {}),
      ...(held === 1 && !this.removal.mayRemoveLast(account) ? { last_stays: true as const } : {}),
      ...(frozen ? { frozen_until: frozen.until.toISOString() } : {}),
    };
    const options = { self: PATHS.manageMfa, ...failedOptions(failure) };
    return this.pages.page(current, { page: 'manage_mfa', ...this.pages.frame(current), manage_mfa }, options);
  }

  #isUsed(name: string): boolean {
    const factor = this.registry.find(name);
    return factor !== undefined && this.registry.isUsed(factor.kind);
  }

  async #managed(factor: EnrollableFactor, accountId: string): Promise<ManagedFactorState> {
    const { kind } = factor;
    const isOffered = this.registry.isOffered(kind);
    const [entries, isFor] = await Promise.all([factor.list(accountId), isOffered && factor.isFor?.(accountId)]);
    return { name: kind.name, offered: isOffered && isFor !== false, entries };
  }
}

function codesState(counts: FactorCounts, unseen: boolean): NonNullable<ManageMfaState['recovery_codes']> {
  return { left: recoveryCodesLeft(counts), total: RECOVERY_CODES, ...(unseen ? { unseen } : {}) };
}
