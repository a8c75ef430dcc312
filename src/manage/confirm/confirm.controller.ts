/** The page and form "Confirm that it is you". Security keys and passkeys are proven by RPC calls only. */
import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { FIELDS } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import { InManageSession } from '../../gateway/security/access.guard.js';
import { OptionalText } from '../../gateway/http/form-fields.decorators.js';
import type { CallFailed } from '../../gateway/http/calls.js';
import { redirect, type Outcome, type PageOptions } from '../../gateway/page/outcome.js';
import type { Factor } from '../../mfa/factor.port.js';
import { FactorRegistry } from '../../mfa/registry.js';
import { ManagePages, toFailedOptions } from '../session/manage-pages.js';
import { buildConfirmPage, toNextPath } from '../session/confirm.page.js';
import { catchFailure } from '../session/failure.js';
import { FreshProof } from '../session/fresh-proof.js';
import { CurrentManageRequest, type ManageRequest, type ManageContext } from '../session/manage-session.js';
import { ConfirmProof } from './confirm-proof.js';
import { MailedProof } from './mailed-proof.js';

class ConfirmQuery {
  @OptionalText(1000)
  [FIELDS.next]?: string;

  @OptionalText(20)
  [FIELDS.method]?: string;
}

class ConfirmForm extends ConfirmQuery {
  @OptionalText(4096)
  [FIELDS.password]?: string;

  @OptionalText(100)
  [FIELDS.code]?: string;
}

@InManageSession()
@Controller(PATHS.manageConfirm)
export class ConfirmController {
  constructor(
    private readonly pages: ManagePages,
    private readonly freshProof: FreshProof,
    private readonly proof: ConfirmProof,
    private readonly mailedProof: MailedProof,
    private readonly registry: FactorRegistry,
  ) {}

  @Get()
  async show(@Query() query: ConfirmQuery, @CurrentManageRequest() request: ManageRequest): Promise<Outcome> {
    return this.#buildPage(await this.pages.loadContext(request), query, null);
  }

  @Post()
  async submit(@Body() form: ConfirmForm, @CurrentManageRequest() request: ManageRequest): Promise<Outcome> {
    const manageContext = await this.pages.loadContext(request);
    const { method, password = '', code = '' } = form;
    const factor = this.#findFactor(method);
    if (method === 'mail' && form.code === undefined) return this.#sendMail(manageContext, form);
    if (factor?.kind.proofBegins && form.code === undefined) return this.#begin(factor, manageContext, form);
    const failure = await catchFailure(() => {
      if (method === 'mail') return this.mailedProof.verify(code, manageContext);
      if (!factor) return this.proof.provePassword(password, manageContext);
      return this.proof.proveFactor(factor, { [FIELDS.code]: code }, manageContext);
    });
    return failure ? this.#buildPage(manageContext, form, failure) : redirect(toNextPath(form.next));
  }

  /** @returns the factor, if a form can prove it */
  #findFactor(method: string | undefined): Factor | undefined {
    const factor = this.registry.find(method ?? '');
    return factor?.kind.provenBy === 'calls' ? undefined : factor;
  }

  async #begin(factor: Factor, manageContext: ManageContext, form: ConfirmForm): Promise<Outcome> {
    const failure = await catchFailure(async () => {
      await this.proof.begin(factor, manageContext);
    });
    return failure
      ? this.#buildPage(manageContext, form, failure)
      : redirect(toConfirmUrl(toNextPath(form.next), factor.kind.name));
  }

  async #sendMail(manageContext: ManageContext, form: ConfirmForm): Promise<Outcome> {
    const failure = await catchFailure(() => this.mailedProof.send(manageContext));
    return failure ? this.#buildPage(manageContext, form, failure) : redirect(toConfirmUrl(toNextPath(form.next), 'mail'));
  }

  async #buildPage(manageContext: ManageContext, { next, method }: ConfirmQuery, failure: CallFailed | null): Promise<Outcome> {
    const path = toNextPath(next);
    const options: PageOptions = { self: toConfirmUrl(path), ...toFailedOptions(failure) };
    const error = failure?.code ?? null;
    const proofMethods = await this.freshProof.findMethods(manageContext);
    return buildConfirmPage(this.pages, manageContext, {
      ...proofMethods,
      ...(await this.freshProof.chooseMethod(manageContext, proofMethods, method)),
      next: path,
      error,
      options,
    });
  }
}

function toConfirmUrl(path: string, method?: string): string {
  const url = `${PATHS.manageConfirm}?${FIELDS.next}=${encodeURIComponent(path)}`;
  return method === undefined ? url : `${url}&${FIELDS.method}=${method}`;
}
