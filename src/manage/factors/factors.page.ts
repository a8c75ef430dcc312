/** The page of the second factors, the passkeys and, after a sign-in, the trusted browsers (MAN-3). */
import { Injectable } from '@nestjs/common';
import { CredentialFreeze } from '../../accounts/account/credential-freeze.js';
import type { ManageMfaState, ManagedFactorState } from '../../contract/manage-state.js';
import { PATHS } from '../../contract/paths.js';
import type { CallFailed } from '../../gateway/http/calls.js';
import type { PageOutcome } from '../../gateway/page/outcome.js';
import type { Factor } from '../../mfa/factor.port.js';
import { Factors } from '../../mfa/factors.js';
import { hasFactor } from '../../mfa/held-factors.js';
import { RECOVERY_CODES, type RemainingCodes } from '../../mfa/recovery-codes/recovery-codes.js';
import { FactorRegistry } from '../../mfa/registry.js';
import { ManagePages, toFailedOptions } from '../session/manage-pages.js';
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
    private readonly trustedBrowsers: OwnTrustedBrowsers,
  ) {}

  async show(manageContext: ManageContext, failure: CallFailed | null): Promise<PageOutcome> {
    const { account } = manageContext;
    const [counts, codes, trustedBrowsers, freeze, passkeys, ...factors] = await Promise.all([
      this.factors.readCounts(account.id),
      this.factors.recoveryCodes.countLeft(account.id),
      manageContext.session.isSignedIn ? this.trustedBrowsers.list(manageContext) : [],
      this.freeze.find(account.id),
      this.registry.passkeys.findAcceptedState(account),
      ...this.registry.factors.map((factor) => this.#buildState(factor, account.id)),
    ]);
    const manage_mfa: ManageMfaState = {
      error: failure?.code ?? null,
      ...(passkeys ? { passkeys } : {}),
      factors: factors.filter(({ name, offered, entries }) => offered || (entries.length > 0 && this.#isUsed(name))),
      ...(hasFactor(counts) ? { recovery_codes: toCodesState(codes) } : {}),
      ...(trustedBrowsers.length > 0 ? { trusted_browsers: trustedBrowsers } : {}),
      ...(this.factors.hasOnlyOne(counts) && !this.removal.mayRemoveLast(account) ? { last_stays: true as const } : {}),
      ...(freeze ? { frozen_until: freeze.endsAt.toISOString() } : {}),
    };
    const options = { self: PATHS.manageMfa, ...toFailedOptions(failure) };
    return this.pages.buildPage(
      manageContext,
      { page: 'manage_mfa', ...this.pages.buildFrame(manageContext), manage_mfa },
      options,
    );
  }

  #isUsed(name: string): boolean {
    const factor = this.registry.find(name);
    return factor !== undefined && this.registry.isUsed(factor.kind);
  }

  async #buildState(factor: Factor, accountId: string): Promise<ManagedFactorState> {
    const { kind } = factor;
    const [entries, offered] = await Promise.all([factor.list(accountId), this.registry.isOfferedTo(accountId, kind)]);
    return { name: kind.name, offered, entries };
  }
}

function toCodesState({ left, unseen }: RemainingCodes): NonNullable<ManageMfaState['recovery_codes']> {
  return { left, total: RECOVERY_CODES, ...(unseen ? { unseen } : {}) };
}
