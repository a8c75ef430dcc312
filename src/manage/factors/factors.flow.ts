/** The overview of the second factors (MAN-3), and taking one away by a plain form. */
import { Injectable } from '@nestjs/common';
import { Factors } from '../../accounts/factors/factors.js';
import { RECOVERY_CODES } from '../../accounts/factors/recovery-codes.js';
import type { ManageMfaState } from '../../contract/manage-state.js';
import { MANAGE_QUERY } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import type { CallFailed } from '../../gateway/http/calls.js';
import { redirect } from '../../gateway/page/outcome.js';
import type { Outcome, PageOutcome } from '../../gateway/page/outcome.js';
import { WebAuthnFactor } from '../../mfa/factors/webauthn/webauthn.factor.js';
import { TotpFactor } from '../../mfa/factors/totp/totp.factor.js';
import { ManagePages, failedOptions } from '../session/manage-pages.js';
import { ManageForms } from '../session/manage-forms.js';
import type { ManageRequest, ManageContext } from '../session/manage-session.js';
import { FactorRemoval } from './factor-removal.js';

const REMOVED = `${PATHS.manage}?${MANAGE_QUERY.status}=mfa-removed`;

@Injectable()
export class FactorsFlow {
  constructor(
    private readonly edge: ManagePages,
    private readonly forms: ManageForms,
    private readonly removal: FactorRemoval,
    private readonly factors: Factors,
    private readonly totp: TotpFactor,
    private readonly fido2: WebAuthnFactor,
  ) {}

  async show(request: ManageRequest): Promise<Outcome> {
    return this.#page(await this.edge.current(request), null);
  }

  removeTotp(request: ManageRequest): Promise<Outcome> {
    return this.#change(request, REMOVED, (current) => this.removal.removeTotp(current));
  }

  removeKey(keyId: string, request: ManageRequest): Promise<Outcome> {
    return this.#change(request, REMOVED, (current) => this.removal.removeKey(keyId, current));
  }

  renameKey({ keyId: id, name }: { keyId: string; name: string }, request: ManageRequest): Promise<Outcome> {
    return this.#change(request, PATHS.manageMfa, (current) => this.removal.renameKey({ id, name }, current));
  }

  async #change(request: ManageRequest, next: string, change: (current: ManageContext) => Promise<void>): Promise<Outcome> {
    const current = await this.edge.current(request);
    const failure = await this.forms.submit(current, () => change(current), PATHS.manageMfa);
    return failure ? this.#page(current, failure) : redirect(next);
  }

  async #page(current: ManageContext, failure: CallFailed | null): Promise<PageOutcome> {
    const { account } = current;
    const { id } = account;
    const [totp, keys, { recoveryCodesLeft: left }] = await Promise.all([
      this.totp.describe(id),
      this.fido2.list(id),
      this.factors.status(id),
    ]);
    const manage_mfa: ManageMfaState = {
      error: failure?.code ?? null,
      totp,
      keys,
      ...(totp || keys.length > 0 ? { recovery_codes: { left, total: RECOVERY_CODES } } : {}),
      ...(keys.length + (totp ? 1 : 0) === 1 && !this.removal.mayRemoveLast(account) ? { last_stays: true as const } : {}),
    };
    const options = { self: PATHS.manageMfa, ...(failure ? failedOptions(failure) : {}) };
    return this.edge.page(current, { page: 'manage_mfa', ...this.edge.frame(current), manage_mfa }, options);
  }
}
