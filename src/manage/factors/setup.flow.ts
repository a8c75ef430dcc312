/** The page of a factor set-up (MAN-4), and plain forms (MAN-11, GEN-9) that begin without a code and confirm with one. */
import { Injectable } from '@nestjs/common';
import { FACTOR_PATHS } from '../../contract/factor-paths.js';
import { FIELDS } from '../../contract/form-fields.js';
import type { ManageFactorState } from '../../contract/manage-state.js';
import { PATHS } from '../../contract/paths.js';
import { CallFailed } from '../../gateway/http/calls.js';
import { redirect, type Outcome, type PageOutcome } from '../../gateway/page/outcome.js';
import type { Factor, Replaced, SetUpSlot } from '../../mfa/factor.port.js';
import { Factors } from '../../mfa/factors.js';
import { toCount, isSecondFactor } from '../../mfa/held-factors.js';
import { FactorRegistry } from '../../mfa/registry.js';
import { requireBegun } from '../../mfa/require-proven.js';
import { factorChanged } from '../session/last-change.js';
import { ManageForms } from '../session/manage-forms.js';
import { ManagePages, failedOptions } from '../session/manage-pages.js';
import { toBinding, type ManageContext, type ManageRequest } from '../session/manage-session.js';
import { requireAdded } from './factor-answers.js';
import { FactorSetup } from './factor-setup.js';
import { newCodesPage } from './new-codes.page.js';
import { defined } from '../../config/defined.js';

interface BeingSetUp {
  current: ManageContext;
  factor: Factor;
  replaces?: Replaced;
}

@Injectable()
export class SetupFlow {
  constructor(
    private readonly pages: ManagePages,
    private readonly forms: ManageForms,
    private readonly setup: FactorSetup,
    private readonly factors: Factors,
    private readonly registry: FactorRegistry,
  ) {}

  async show(request: ManageRequest): Promise<Outcome> {
    const { current, factor, ...asked } = await this.#current(request);
    const { id } = current.account;
    const replaces = asked.replaces && (await factor.replaceable(id));
    const settable = await this.#settable(id);
    // On a reload after the set-up, the overview links to new recovery codes.
    const mayGoOn = replaces ? this.registry.isOffered(factor.kind) : replaces !== null && settable.includes(factor.kind.name);
    if (!mayGoOn) return redirect(PATHS.manageMfa);
    const being = { current, factor, ...(replaces ? { replaces } : {}) };
    // A pending set-up continues: the QR code stays valid after a fresh proof.
    const setup = await factor.resume(toSlot(being));
    const others = replaces ? undefined : settable.filter((name) => name !== factor.kind.name && this.#isLike(name, factor));
    return this.#page(being, { error: null, ...(others ? { others } : {}), ...(setup ? { setup } : {}) });
  }

  async submit(code: string | undefined, request: ManageRequest): Promise<Outcome> {
    const being = await this.#current(request);
    return code === undefined ? this.#begin(being) : this.#confirm(code, being);
  }

  async #current(request: ManageRequest): Promise<BeingSetUp> {
    const current = await this.pages.current(request);
    await this.forms.requireProof(current);
    const { path } = current.context;
    const factor = this.registry.getByPath(path);
    // The address distinguishes adding from replacing.
    return { current, factor, ...(path === FACTOR_PATHS.replace(factor.kind.name) ? { replaces: true } : {}) };
  }

  async #begin(being: BeingSetUp): Promise<Outcome> {
    const { current, factor } = being;
    let setup: ManageFactorState['setup'];
    const failure = await this.forms.submit(current, async () => {
      this.#requireOffered(factor);
      setup = requireBegun(await factor.begin(toSlot(being), current.by), factor.kind.codes.missing);
    });
    return this.#page(being, { error: failure?.code ?? null, ...(setup ? { setup } : {}) }, failure);
  }

  async #confirm(code: string, being: BeingSetUp): Promise<Outcome> {
    const { current, factor, replaces } = being;
    let codes: string[] | undefined;
    const failure = await this.forms.submit(current, async () => {
      this.#requireOffered(factor);
      codes = requireAdded(await factor.confirm({ ...this.setup.setUpOf(current), replaces }, { [FIELDS.code]: code }));
    });
    if (failure) {
      const setup = await factor.resume(toSlot(being));
      return this.#page(being, { error: failure.code, ...(setup ? { setup } : {}) }, failure);
    }
    return codes ? newCodesPage(this.pages, current, codes) : redirect(factorChanged('mfa-success', factor.kind.name));
  }

  /** Names of the kinds that the account can set up now. */
  async #settable(accountId: string): Promise<string[]> {
    const held = await this.factors.status(accountId);
    const kinds = this.registry.all.map(({ kind }) => kind).filter((kind) => this.registry.isOffered(kind));
    return kinds.filter((kind) => !kind.isSingle || toCount(held, kind) === 0).map(({ name }) => name);
  }

  /** A second factor is not an alternative to a passkey, nor a passkey to a second factor. */
  #isLike(name: string, { kind }: Factor): boolean {
    const other = this.registry.find(name);
    return other !== undefined && isSecondFactor(other.kind) === isSecondFactor(kind);
  }

  #requireOffered({ kind }: Factor): void {
    if (!this.registry.isOffered(kind)) throw new CallFailed('factor unavailable');
  }

  #page(
    { current, factor, replaces }: BeingSetUp,
    state: Pick<ManageFactorState, 'error' | 'setup' | 'others'>,
    failure: CallFailed | null = null,
  ): PageOutcome {
    const options = failedOptions(failure);
    const { retryAfterSeconds } = options;
    const manage_factor = {
      factor: factor.kind.name,
      ...state,
      ...(replaces ? { replaces } : {}),
      ...defined({ retry_after: retryAfterSeconds }),
    };
    return this.pages.page(current, { page: 'manage_factor', ...this.pages.frame(current), manage_factor }, options);
  }
}

function toSlot({ current, replaces }: BeingSetUp): SetUpSlot {
  return { account: current.account, boundTo: toBinding(current), replaces };
}
