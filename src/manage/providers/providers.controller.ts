/** The forms that connect and disconnect a provider, and the address that an RPC call returns as `url`. */
import { Controller, Get, Param, Post, Query } from '@nestjs/common';
import { MANAGE_QUERY, PROVIDER_QUERY } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import { InManageSession } from '../../gateway/security/access.guard.js';
import { Fault } from '../../gateway/http/faults.js';
import { OptionalText } from '../../gateway/http/form-fields.decorators.js';
import { redirect, type Outcome } from '../../gateway/page/outcome.js';
import { IdentityProviders, type ProviderProfile } from '../../providers/identity-providers.port.js';
import { ManagePages } from '../session/manage-pages.js';
import { ManageForms } from '../session/manage-forms.js';
import { CurrentManageRequest, type ManageRequest } from '../session/manage-session.js';
import { OverviewPage } from '../session/overview.page.js';
import { ConnectStart } from './connect-start.js';
import { DisconnectProvider } from './disconnect.js';

class ConnectQuery {
  @OptionalText(100)
  [PROVIDER_QUERY.ticket]?: string;
}

@InManageSession()
@Controller(`${PATHS.manageOauth}/:provider`)
export class ProvidersController {
  constructor(
    private readonly pages: ManagePages,
    private readonly forms: ManageForms,
    private readonly providers: IdentityProviders,
    private readonly connectStart: ConnectStart,
    private readonly disconnectProvider: DisconnectProvider,
    private readonly overview: OverviewPage,
  ) {}

  @Post('connect')
  async connect(@Param('provider') id: string, @CurrentManageRequest() request: ManageRequest): Promise<Outcome> {
    const provider = this.#get(id);
    const manageContext = await this.pages.loadContext(request);
    return this.forms.run(manageContext, () => this.connectStart.start(provider, manageContext), PATHS.manage);
  }

  /** A request without a ticket is a reload after the form. */
  @Get('connect')
  async continueConnect(
    @Param('provider') id: string,
    @Query() { ticket }: ConnectQuery,
    @CurrentManageRequest() request: ManageRequest,
  ): Promise<Outcome> {
    if (ticket === undefined) return redirect(PATHS.manage);
    return this.connectStart.startWithTicket(ticket, this.#get(id), await this.pages.loadContext(request));
  }

  @Get('disconnect')
  redirectToOverview(): Outcome {
    return redirect(PATHS.manage);
  }

  @Post('disconnect')
  async disconnect(@Param('provider') id: string, @CurrentManageRequest() request: ManageRequest): Promise<Outcome> {
    const manageContext = await this.pages.loadContext(request);
    const failure = await this.forms.submit(
      manageContext,
      () => this.disconnectProvider.disconnect(id, manageContext),
      PATHS.manage,
    );
    // `oauth not found` is treated as success: a second click, or another tab, has already disconnected the provider.
    if (failure?.code === 'last way in') return this.overview.show(manageContext, { failure });
    return redirect(`${PATHS.manage}?${MANAGE_QUERY.status}=oauth-disconnect-success`);
  }

  #get(id: string): ProviderProfile {
    const profile = this.providers.find(id);
    if (!profile) throw new Fault('page_not_found', 'No provider with this id is configured');
    return profile;
  }
}
