/** "Confirm that it is you" as a page and as a form; a key proves by calls alone. */
import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { FIELDS } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import { InArea } from '../../gateway/security/access.guard.js';
import { OptionalText } from '../../gateway/http/form-fields.decorators.js';
import type { CallFailed } from '../../gateway/http/calls.js';
import { redirect } from '../../gateway/page/outcome.js';
import type { Outcome, PageOptions } from '../../gateway/page/outcome.js';
import { AreaEdge, failedOptions } from '../session/manage-pages.js';
import { confirmPage, placeToGoOn } from '../session/confirm.page.js';
import { failureOf } from '../session/failure.js';
import { FreshProof } from '../session/fresh-proof.js';
import { CurrentCaller } from '../session/manage-session.js';
import type { Caller, Guest } from '../session/manage-session.js';
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

@InArea()
@Controller(PATHS.manageConfirm)
export class ConfirmController {
  constructor(
    private readonly edge: AreaEdge,
    private readonly fresh: FreshProof,
    private readonly proof: ConfirmProof,
    private readonly mailed: MailedProof,
  ) {}

  @Get()
  async show(@Query() query: ConfirmQuery, @CurrentCaller() caller: Caller): Promise<Outcome> {
    return this.#page(await this.edge.guest(caller), query, null);
  }

  @Post()
  async submit(@Body() form: ConfirmForm, @CurrentCaller() caller: Caller): Promise<Outcome> {
    const guest = await this.edge.guest(caller);
    const { method, password = '', code = '' } = form;
    if (method === 'mail' && code === '') return this.#mail(guest, form);
    const failure = await failureOf(() => {
      if (method === 'mail') return this.mailed.verify(code, guest);
      return method === 'totp' ? this.proof.byCode(code, guest) : this.proof.byPassword(password, guest);
    });
    return failure ? this.#page(guest, form, failure) : redirect(placeToGoOn(form.next));
  }

  async #mail(guest: Guest, form: ConfirmForm): Promise<Outcome> {
    const failure = await failureOf(() => this.mailed.send(guest));
    return failure ? this.#page(guest, form, failure) : redirect(confirmUrl(placeToGoOn(form.next)));
  }

  async #page(guest: Guest, { next, method }: ConfirmQuery, failure: CallFailed | null): Promise<Outcome> {
    const place = placeToGoOn(next);
    const options: PageOptions = { self: confirmUrl(place), ...(failure ? failedOptions(failure) : {}) };
    const error = failure?.code ?? null;
    return confirmPage(this.edge, guest, {
      ...(await this.fresh.waysOf(guest)),
      method: method ?? null,
      next: place,
      error,
      options,
    });
  }
}

function confirmUrl(place: string): string {
  return `${PATHS.manageConfirm}?${FIELDS.next}=${encodeURIComponent(place)}`;
}
