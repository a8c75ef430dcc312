/** The overview of the second factors (MAN-3), and removal by a plain form. */
import { Injectable } from '@nestjs/common';
import { MANAGE_QUERY } from '../../contract/form-fields.js';
import type { ManageMfaState, ManagedFactorState } from '../../contract/manage-state.js';
import { PATHS } from '../../contract/paths.js';
import type { CallFailed } from '../../gateway/http/calls.js';
import { redirect } from '../../gateway/page/outcome.js';
import type { Outcome, PageOutcome } from '../../gateway/page/outcome.js';
import type { EnrollableFactor } from '../../mfa/factor.port.js';
import { Factors } from '../../mfa/factors.js';
import { FactorRegistry, MOST_STAND_INS, standInsLeft } from '../../mfa/registry.js';
import { ManageForms } from '../session/manage-forms.js';
import { ManagePages, failedOptions } from '../session/manage-pages.js';
import type { ManageContext, ManageRequest } from '../session/manage-session.js';
import { FactorRemoval } from './factor-removal.js';

const REMOVED = `${PATHS.manage}?${MANAGE_QUERY.status}=mfa-removed`;

@Injectable()
export class FactorsFlow {
  constructor(
    private readonly pages: ManagePages,
    private readonly forms: ManageForms,
    private readonly removal: FactorRemoval,
    private readonly factors: Factors,
    private readonly registry: FactorRegistry,
  ) {}

  async show(request: ManageRequest): Promise<Outcome> {
    return this.#page(await this.pages.current(request), null);
  }

  remove(entry: string, request: ManageRequest): Promise<Outcome> {
    return this.#change(request, REMOVED, (factor, current) => this.removal.remove(factor, entry, current));
  }

  rename(entry: { id: string; name: string }, request: ManageRequest): Promise<Outcome> {
    return this.#change(request, PATHS.manageMfa, (factor, current) => this.removal.rename(factor, entry, current));
  }

  async #change(
    request: ManageRequest,
    next: string,
    change: (factor: EnrollableFactor, current: ManageContext) => Promise<void>,
  ): Promise<Outcome> {
    const current = await this.pages.current(request);
    const factor = this.registry.getEnrollableByPath(current.context.path);
    const failure = await this.forms.submit(current, () => change(factor, current), PATHS.manageMfa);
    return failure ? this.#page(current, failure) : redirect(next);
  }

  async #page(current: ManageContext, failure: CallFailed | null): Promise<PageOutcome> {
    const { account } = current;
    const [counts, ...factors] = await Promise.all([
      this.factors.status(account.id),
      ...this.registry.enrollable.map((factor) => this.#managed(factor, account.id)),
    ]);
    const held = factors.reduce((sum, { entries }) => sum + entries.length, 0);
    const manage_mfa: ManageMfaState = {
      error: failure?.code ?? null,
      factors: factors.filter(({ offered, entries }) => offered || entries.length > 0),
      ...(held > 0 ? { recovery_codes: { left: standInsLeft(counts), total: MOST_STAND_INS } } : {}),
      ...(held === 1 && !this.removal.mayRemoveLast(account) ? { last_stays: true as const } : {}),
    };
    const options = { self: PATHS.manageMfa, ...(failure ? failedOptions(failure) : {}) };
    return this.pages.page(current, { page: 'manage_mfa', ...this.pages.frame(current), manage_mfa }, options);
  }

  async #managed(factor: EnrollableFactor, accountId: string): Promise<ManagedFactorState> {
    const { kind } = factor;
    return { name: kind.name, offered: this.registry.isOffered(kind), entries: await factor.list(accountId) };
  }
}
