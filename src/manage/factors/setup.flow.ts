/**
 * The page of a factor set-up (MAN-4), and its plain forms (MAN-11, GEN-9): without a code they begin the set-up, with a code they
 * confirm it.
 */
import { Injectable } from '@nestjs/common';
import { FACTOR_PATHS } from '../../contract/factor-paths.js';
import { FIELDS } from '../../contract/form-fields.js';
import type { ManageFactorState } from '../../contract/manage-state.js';
import { PATHS } from '../../contract/paths.js';
import { CallFailed } from '../../gateway/http/calls.js';
import { redirect, type Outcome, type PageOutcome } from '../../gateway/page/outcome.js';
import { SameForms } from '../../gateway/page/same-forms.js';
import type { Factor, ReplacedFactor, SetUpSlot } from '../../mfa/factor.port.js';
import { Factors } from '../../mfa/factors.js';
import { toCount, isSecondFactor } from '../../mfa/held-factors.js';
import { FactorRegistry } from '../../mfa/registry.js';
import { requireBegun } from '../../mfa/require-proven.js';
import { toFactorChangedUrl } from '../session/last-change.js';
import { ManageForms } from '../session/manage-forms.js';
import { ManagePages, toFailedOptions } from '../session/manage-pages.js';
import { toBinding, type ManageContext, type ManageRequest } from '../session/manage-session.js';
import { requireAdded } from './factor-answers.js';
import { FactorSetup } from './factor-setup.js';
import { buildNewCodesPage } from './new-codes.page.js';
import { defined } from '../../config/defined.js';

interface PendingSetUp {
  manageContext: ManageContext;
  factor: Factor;
  replaces?: ReplacedFactor;
}

@Injectable()
export class SetupFlow {
  /** Both clicks of a double click get the page with the recovery codes, which is shown once. */
  readonly #sameForms = new SameForms<Outcome>();

  constructor(
    private readonly pages: ManagePages,
    private readonly forms: ManageForms,
    private readonly setup: FactorSetup,
    private readonly factors: Factors,
    private readonly registry: FactorRegistry,
  ) {}

  async show(request: ManageRequest): Promise<Outcome> {
    const { manageContext, factor, ...rest } = await this.#loadPending(request);
    const { id } = manageContext.account;
    const replaces = rest.replaces && (await factor.findReplaceable(id));
    const addableNames = await this.#listAddableKinds(id);
    // A reload after the set-up leads to the page of the second factors, which links to new recovery codes.
    const canContinue = replaces
      ? this.registry.isOffered(factor.kind)
      : replaces !== null && addableNames.includes(factor.kind.name);
    if (!canContinue) return redirect(PATHS.manageMfa);
    const pending = { manageContext, factor, ...(replaces ? { replaces } : {}) };
    // A pending set-up is resumed, so that the QR code stays valid after a fresh proof.
    const setup = await factor.resume(toSlot(pending));
    const others = replaces
      ? undefined
      : addableNames.filter((name) => name !== factor.kind.name && this.#isAlternative(name, factor));
    return this.#buildPage(pending, { error: null, ...(others ? { others } : {}), ...(setup ? { setup } : {}) });
  }

  submit(code: string | undefined, request: ManageRequest): Promise<Outcome> {
    const { session, context } = request;
    const key = [session.sessionId, context.xsrf ?? '', context.path, ...(code === undefined ? [] : [code])];
    return this.#sameForms.runOnce(key, () => this.#submit(code, request));
  }

  async #submit(code: string | undefined, request: ManageRequest): Promise<Outcome> {
    const pending = await this.#loadPending(request);
    return code === undefined ? this.#begin(pending) : this.#confirm(code, pending);
  }

  async #loadPending(request: ManageRequest): Promise<PendingSetUp> {
    const manageContext = await this.pages.loadContext(request);
    await this.forms.requireProof(manageContext);
    const { path } = manageContext.context;
    const factor = this.registry.getByPath(path);
    // The path determines whether the new factor replaces the old one.
    return { manageContext, factor, ...(path === FACTOR_PATHS.replace(factor.kind.name) ? { replaces: true } : {}) };
  }

  async #begin(pending: PendingSetUp): Promise<Outcome> {
    const { manageContext, factor } = pending;
    let setup: ManageFactorState['setup'];
    const failure = await this.forms.submit(manageContext, async () => {
      this.#requireOffered(factor);
      setup = requireBegun(await factor.begin(toSlot(pending), manageContext.auditContext), factor.kind.codes.missing);
    });
    return this.#buildPage(pending, { error: failure?.code ?? null, ...(setup ? { setup } : {}) }, failure);
  }

  async #confirm(code: string, pending: PendingSetUp): Promise<Outcome> {
    const { manageContext, factor, replaces } = pending;
    let codes: string[] | undefined;
    const failure = await this.forms.submit(manageContext, async () => {
      this.#requireOffered(factor);
      codes = requireAdded(await factor.confirm({ ...this.setup.toSetUp(manageContext), replaces }, { [FIELDS.code]: code }));
    });
    if (failure) {
      const setup = await factor.resume(toSlot(pending));
      return this.#buildPage(pending, { error: failure.code, ...(setup ? { setup } : {}) }, failure);
    }
    return codes
      ? buildNewCodesPage(this.pages, manageContext, codes)
      : redirect(toFactorChangedUrl('mfa-success', factor.kind.name));
  }

  /** @returns names of the kinds that the account can set up now */
  async #listAddableKinds(accountId: string): Promise<string[]> {
    const counts = await this.factors.readCounts(accountId);
    const kinds = this.registry.factors.map(({ kind }) => kind).filter((kind) => !kind.isSingle || toCount(counts, kind) === 0);
    const isOffered = await Promise.all(kinds.map((kind) => this.registry.isOfferedTo(accountId, kind)));
    return kinds.filter((_, index) => isOffered[index]).map(({ name }) => name);
  }

  /** Whether one kind can be offered instead of the other: both are second factors, or both are passkeys. */
  #isAlternative(name: string, { kind }: Factor): boolean {
    const otherFactor = this.registry.find(name);
    return otherFactor !== undefined && isSecondFactor(otherFactor.kind) === isSecondFactor(kind);
  }

  #requireOffered({ kind }: Factor): void {
    if (!this.registry.isOffered(kind)) throw new CallFailed('factor unavailable');
  }

  #buildPage(
    { manageContext, factor, replaces }: PendingSetUp,
    state: Pick<ManageFactorState, 'error' | 'setup' | 'others'>,
    failure: CallFailed | null = null,
  ): PageOutcome {
    const options = toFailedOptions(failure);
    const { retryAfterSeconds } = options;
    const manage_factor = {
      factor: factor.kind.name,
      ...state,
      ...(replaces ? { replaces } : {}),
      ...defined({ retry_after: retryAfterSeconds }),
    };
    return this.pages.buildPage(
      manageContext,
      { page: 'manage_factor', ...this.pages.buildFrame(manageContext), manage_factor },
      options,
    );
  }
}

function toSlot({ manageContext, replaces }: PendingSetUp): SetUpSlot {
  return { account: manageContext.account, boundTo: toBinding(manageContext), replaces };
}
