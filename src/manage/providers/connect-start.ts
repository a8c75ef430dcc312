/** Starts connecting a provider in the account area (MAN-10). The start is bound to this account, session and browser. */
import { Inject, Injectable } from '@nestjs/common';
import { OneTimeSecrets } from '../../accounts/secrets/one-time-secrets.js';
import { ProviderTransactions } from '../../accounts/secrets/provider-transactions.js';
import { RequestLimits } from '../../accounts/limits/request-limits.js';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { randomToken } from '../../config/keys.js';
import { PROVIDER_QUERY } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import { redirect, type RedirectOutcome } from '../../gateway/page/outcome.js';
import { buildConnectFailureUrl } from '../../providers/connect-return.js';
import { buildCallbackUrl, IdentityProviders, type ProviderProfile } from '../../providers/identity-providers.port.js';
import { ProviderUnavailable } from '../../providers/provider.errors.js';
import { FreshProof } from '../session/fresh-proof.js';
import type { ManageContext } from '../session/manage-session.js';
import { toReturnAddress } from './return-address.js';

const TICKET_SECONDS = 300;

@Injectable()
export class ConnectStart {
  constructor(
    private readonly proof: FreshProof,
    private readonly providers: IdentityProviders,
    private readonly transactions: ProviderTransactions,
    private readonly secrets: OneTimeSecrets,
    private readonly limits: RequestLimits,
    @Inject(CONFIG) private readonly config: Pick<Config, 'publicUrl' | 'app'>,
  ) {}

  /** @throws CallFailed */
  async start(provider: ProviderProfile, manageContext: ManageContext): Promise<RedirectOutcome> {
    await this.proof.require(manageContext);
    return this.#redirectToProvider(provider, manageContext, PATHS.manage);
  }

  /**
   * For an RPC call, which may come without cookies: issues an address of Foyer that redirects to the provider. The address works
   * once, in the browser of this session. @throws CallFailed
   */
  async issueUrl(provider: ProviderProfile, manageContext: ManageContext, wantedUrl: string): Promise<string> {
    await this.proof.require(manageContext);
    const { account, session } = manageContext;
    const returnTo = toReturnAddress(wantedUrl, { config: this.config, returnTo: session.returnTo });
    const ticket = await this.secrets.issue({
      purpose: 'provider-connect',
      accountId: account.id,
      boundTo: toBinding(provider, manageContext),
      payload: returnTo,
      lifetimeSeconds: TICKET_SECONDS,
    });
    const url = new URL(`${PATHS.manageOauth}/${provider.id}/connect`, this.config.publicUrl);
    url.searchParams.set(PROVIDER_QUERY.ticket, ticket);
    return url.href;
  }

  /** The fresh proof was required when the ticket was issued. */
  async startWithTicket(ticket: string, provider: ProviderProfile, manageContext: ManageContext): Promise<RedirectOutcome> {
    const ticketSecret = await this.secrets.consume('provider-connect', ticket, toBinding(provider, manageContext));
    if (!ticketSecret?.payload) return redirect(buildConnectFailureUrl(PATHS.manage, 'expired'));
    return this.#redirectToProvider(provider, manageContext, ticketSecret.payload);
  }

  async #redirectToProvider(provider: ProviderProfile, manageContext: ManageContext, returnTo: string): Promise<RedirectOutcome> {
    const { account, context, session } = manageContext;
    if ((await this.limits.countOwn('connect', account.id, manageContext.auditContext)) !== null)
      return redirect(buildConnectFailureUrl(returnTo, 'limited'));
    const handle = provider.responseMode === 'form_post' ? (context.providerTransaction ?? randomToken()) : null;
    const purpose = { kind: 'connect', accountId: account.id, sessionId: session.sessionId, returnTo } as const;
    const beginRequest = {
      provider: provider.id,
      redirectUri: buildCallbackUrl(this.config.publicUrl, provider.id),
      chooseAccount: true,
      ...(account.language === undefined ? {} : { uiLocales: [account.language] }),
    };
    try {
      const start = { provider: provider.id, browser: context.browser, handle, purpose };
      const url = await this.transactions.start(start, (state) => this.providers.begin({ ...beginRequest, state }));
      return redirect(url, handle === null ? {} : { answer: handle });
    } catch (error) {
      if (error instanceof ProviderUnavailable) return redirect(buildConnectFailureUrl(returnTo, 'unavailable'));
      throw error;
    }
  }
}

function toBinding({ id }: ProviderProfile, { session }: ManageContext): string {
  return `${id}\n${session.sessionId}`;
}
