/** From the account area to a provider, to connect it (MAN-10): for this account, this session and this browser. */
import { Inject, Injectable } from '@nestjs/common';
import { OneTimeSecrets } from '../../accounts/secrets/one-time-secrets.js';
import { ProviderErrands } from '../../accounts/secrets/provider-transactions.js';
import { RequestLimits } from '../../accounts/limits/request-limits.js';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { randomToken } from '../../config/keys.js';
import { PROVIDER_QUERY } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import { redirect } from '../../gateway/page/outcome.js';
import type { RedirectOutcome } from '../../gateway/page/outcome.js';
import { connectFailedUrl } from '../../providers/connect-return.js';
import { callbackUrl, IdentityProviders } from '../../providers/identity-providers.port.js';
import type { ProviderProfile } from '../../providers/identity-providers.port.js';
import { ProviderUnavailable } from '../../providers/provider.errors.js';
import type { Guest } from '../session/manage-session.js';
import { returnAddress } from './return-address.js';

const TICKET_SECONDS = 300;

@Injectable()
export class ConnectDeparture {
  constructor(
    private readonly providers: IdentityProviders,
    private readonly errands: ProviderErrands,
    private readonly secrets: OneTimeSecrets,
    private readonly limits: RequestLimits,
    @Inject(CONFIG) private readonly config: Pick<Config, 'publicUrl' | 'app'>,
  ) {}

  async leave(provider: ProviderProfile, guest: Guest, returnTo: string = PATHS.manage): Promise<RedirectOutcome> {
    const { account, visit, visitor } = guest;
    if ((await this.limits.countOwn('connect', account.id, guest.by)) !== null)
      return redirect(connectFailedUrl(returnTo, 'limited'));
    const handle = provider.responseMode === 'form_post' ? (visit.answer ?? randomToken()) : null;
    const errand = { kind: 'connect', accountId: account.id, sessionId: visitor.sessionId, returnTo } as const;
    const beginning = {
      provider: provider.id,
      redirectUri: callbackUrl(this.config.publicUrl, provider.id),
      chooseAccount: true,
      ...(account.language === undefined ? {} : { uiLocales: [account.language] }),
    };
    try {
      const departure = { provider: provider.id, browser: visit.browser, handle, errand };
      const url = await this.errands.send(departure, (state) => this.providers.begin({ ...beginning, state }));
      return redirect(url, handle === null ? {} : { answer: handle });
    } catch (error) {
      if (error instanceof ProviderUnavailable) return redirect(connectFailedUrl(returnTo, 'unavailable'));
      throw error;
    }
  }

  /**
   * For a call, which may come without the browser's cookies: an address of our own that leads on, once, in the browser
   * of this session.
   */
  async urlFor(provider: ProviderProfile, guest: Guest, wanted: string): Promise<string> {
    const { account, visitor } = guest;
    const returnTo = returnAddress(wanted, { config: this.config, returnTo: visitor.returnTo });
    const ticket = await this.secrets.issue({
      purpose: 'provider-connect',
      accountId: account.id,
      boundTo: placeOf(provider, guest),
      payload: returnTo,
      lifetimeSeconds: TICKET_SECONDS,
    });
    const url = new URL(`${PATHS.manageOauth}/${provider.id}/connect`, this.config.publicUrl);
    url.searchParams.set(PROVIDER_QUERY.ticket, ticket);
    return url.href;
  }

  async leaveWith(ticket: string, provider: ProviderProfile, guest: Guest): Promise<RedirectOutcome> {
    const taken = await this.secrets.consume('provider-connect', ticket, placeOf(provider, guest));
    if (!taken?.payload) return redirect(connectFailedUrl(PATHS.manage, 'expired'));
    return this.leave(provider, guest, taken.payload);
  }
}

function placeOf({ id }: ProviderProfile, { visitor }: Guest): string {
  return `${id}\n${visitor.sessionId}`;
}
