/** The result of a registration that did not end in a sign-in (REG-3), with the way back to the app. */
import { Injectable } from '@nestjs/common';
import { Keys } from '../../../../config/keys.js';
import type { RegistrationResultState } from '../../../../contract/page-state.js';
import { PATHS } from '../../../../contract/paths.js';
import { page, redirect, type Outcome, type PageOptions } from '../../../../gateway/page/outcome.js';
import { ReturnTickets } from '../../../../gateway/page/return-tickets.js';
import type { RequestContext } from '../../../../gateway/http/request-context.js';
import { HydraPort } from '../../../../hydra/hydra.port.js';
import { FlowPages, type ReturnLink } from '../../flow-pages.js';
import { toStatusUrl } from '../../status-url.js';
import { PROOF, type CallbackQuery } from './register.form.js';

export type RegistrationStatus = RegistrationResultState['status'];

@Injectable()
export class RegistrationScreens {
  constructor(
    private readonly hydra: HydraPort,
    private readonly pages: FlowPages,
    private readonly tickets: ReturnTickets,
    private readonly keys: Keys,
  ) {}

  /** @param requestUrl address of the waiting request; null for the sign-in that this browser started last */
  redirectToStatus(status: RegistrationStatus, requestUrl: string | null, context: RequestContext): Outcome {
    const url = toStatusUrl(PATHS.registerCallback, status, this.pages.toReturnLink(requestUrl));
    if (status === 'error-token') return redirect(url);
    const proof = this.keys.mac('registration-status', `${status} ${context.browser}`);
    return redirect(`${url}&${PROOF}=${proof}`);
  }

  /** Without the proof that a valid answer arrived in this browser, shows `error-token`, because anybody can write the address. */
  async show({ status, proof = '', ticket }: CallbackQuery, context: RequestContext): Promise<Outcome> {
    const isProven = this.keys.verifyMac('registration-status', `${status ?? ''} ${context.browser}`, proof);
    const shownStatus: RegistrationStatus = isProven && (status === 'success' || status === 'error') ? status : 'error-token';
    const returnLink = this.pages.toReturnLink(this.tickets.open(ticket) ?? this.tickets.open(context.resume));
    const registration: RegistrationResultState = { status: shownStatus, ...(returnLink ? { restart_url: returnLink.url } : {}) };
    return page({ page: 'registration', registration }, returnLink ? await this.#buildOptions(returnLink) : {});
  }

  /** The request's address names the client; Hydra knows to which of the client's addresses a link may lead. */
  async #buildOptions({ url, uiLocales }: ReturnLink): Promise<PageOptions> {
    const id = new URL(url).searchParams.get('client_id');
    const client = id === null ? null : await this.hydra.getClient(id).catch(() => null);
    return client ? this.pages.pageOptions({ challenge: '', requestUrl: url, uiLocales, client }) : { uiLocales };
  }
}
