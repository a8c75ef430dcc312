/** Sign-ins, apps, open tasks, a scheduled deletion and a check by the help desk, for the overview. */
import { Inject, Injectable } from '@nestjs/common';
import type { Account } from '../../accounts/account/account.js';
import type { FactorCounts } from '../../accounts/account/factor-counts.js';
import { findMissingFields, findRequiredEmailProof, toDeadline, type Deadline } from '../../accounts/account/required-details.js';
import { AccountDeletions } from '../../accounts/changes/account-deletions.js';
import { SupportChecks } from '../../accounts/operators/support-checks.js';
import { SignedInDevices } from '../../accounts/sessions/signed-in-devices.js';
import type { PasswordLocation } from '../../accounts/password/proof.js';
import type { ManageState } from '../../contract/manage-state.js';
import { canVerify } from '../../mfa/held-factors.js';
import { findOpenTerms } from '../../accounts/terms/open-terms.js';
import { AppConsents } from './app-consents.js';
import type { ManageContext } from './manage-session.js';
import { Clock } from '../../config/clock.js';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.token.js';
import { defined } from '../../config/defined.js';

type SummaryState = Pick<
  ManageState,
  | 'deletion_due_at'
  | 'support_check'
  | 'device_count'
  | 'app_count'
  | 'last_session'
  | 'password_changed_at'
  | 'password_required'
  | 'email_required'
  | 'factor_required'
  | 'fields_required'
  | 'terms_open'
  | 'read_at'
>;

@Injectable()
export class AccountSummary {
  constructor(
    private readonly deletions: AccountDeletions,
    private readonly devices: SignedInDevices,
    private readonly apps: AppConsents,
    private readonly checks: SupportChecks,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Pick<Config, 'tasks' | 'mfa' | 'terms' | 'passkeys'>,
  ) {}

  /**
   * A session that was opened with an access token alone shows only a scheduled deletion, because apps have such tokens
   * (decision 0062).
   * @returns a function that builds the members of the state from the location of the password and the numbers of factors
   */
  async load({ account, session }: ManageContext): Promise<(password: PasswordLocation, counts: FactorCounts) => SummaryState> {
    const { id, requiredPassword } = account;
    const [dueAt, signIns, apps, check] = await Promise.all([
      this.deletions.find(id),
      session.isSignedIn ? this.devices.findSummary(id) : undefined,
      session.isSignedIn ? this.apps.count(id) : undefined,
      session.isSignedIn ? this.checks.find(id) : null,
    ]);
    const deletion = dueAt ? { deletion_due_at: dueAt.toISOString() } : {};
    if (!signIns) return () => deletion;
    const { devices, readAt, lastSignIn, passwordChangedAt } = signIns;
    const browser = lastSignIn?.browser;
    const supportCheck = check && { words: check.words, operator: check.operator, expires_at: check.expiresAt.toISOString() };
    const openTerms = findOpenTerms(account, { terms: this.config.terms, now: this.clock.now() }, null);
    return (password, counts) => ({
      ...deletion,
      ...(supportCheck ? { support_check: supportCheck } : {}),
      device_count: devices,
      ...defined({ app_count: apps }),
      ...(lastSignIn ? { last_session: { began_at: lastSignIn.at.toISOString(), ...defined({ browser }) } } : {}),
      ...(password?.at === 'here' && passwordChangedAt ? { password_changed_at: passwordChangedAt.toISOString() } : {}),
      ...(requiredPassword ? { password_required: true as const } : {}),
      ...this.#findRequired(account, counts),
      ...(openTerms.length > 0 ? { terms_open: true as const } : {}),
      read_at: readAt.toISOString(),
    });
  }

  #findRequired(
    account: Account,
    counts: FactorCounts,
  ): Pick<ManageState, 'email_required' | 'factor_required' | 'fields_required'> {
    const { tasks, mfa, passkeys } = this.config;
    const now = this.clock.now();
    const proof = findRequiredEmailProof(account, tasks, now);
    const isFactorRequired = mfa.policy === 'required' && mfa.requiredFrom !== undefined && account.secondFactor !== 'optional';
    const lacksFactor = !canVerify(counts, passkeys.mode !== 'off');
    return {
      ...(proof ? { email_required: toState(proof) } : {}),
      ...(isFactorRequired && lacksFactor ? { factor_required: toState(toDeadline(mfa.requiredFrom, now)) } : {}),
      ...(findMissingFields(account, tasks).length > 0 ? { fields_required: true } : {}),
    };
  }
}

function toState({ laterUntil }: Deadline): { later_until?: string } {
  return defined({ later_until: laterUntil?.toISOString() });
}
