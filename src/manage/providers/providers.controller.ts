/** Connecting and disconnecting by plain forms, and the address that a call's `url` leads through. */
import { Controller, Get, Param, Post, Query } from '@nestjs/common';
import { AREA_QUERY, PROVIDER_QUERY } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import { InArea } from '../../gateway/security/access.guard.js';
import { Fault } from '../../gateway/http/faults.js';
import { OptionalText } from '../../gateway/http/form-fields.decorators.js';
import { redirect } from '../../gateway/page/outcome.js';
import type { Outcome } from '../../gateway/page/outcome.js';
import { IdentityProviders } from '../../providers/identity-providers.port.js';
import type { ProviderProfile } from '../../providers/identity-providers.port.js';
import { AreaEdge } from '../session/manage-pages.js';
import { failureOf } from '../session/failure.js';
import { FreshProof } from '../session/fresh-proof.js';
import { CurrentCaller } from '../session/manage-session.js';
import type { Caller } from '../session/manage-session.js';
import { OverviewPage } from '../session/overview.page.js';
import { ConnectDeparture } from './connect-start.js';
import { Disconnecting } from './disconnect.js';

class ConnectQuery {
  @OptionalText(100)
  [PROVIDER_QUERY.ticket]?: string;
}

@InArea()
@Controller(`${PATHS.manageOauth}/:provider`)
export class ProvidersController {
  constructor(
    private readonly edge: AreaEdge,
    private readonly proof: FreshProof,
    private readonly providers: IdentityProviders,
    private readonly departure: ConnectDeparture,
    private readonly disconnecting: Disconnecting,
    private readonly overview: OverviewPage,
  ) {}

  @Post('connect')
  async connect(@Param('provider') id: string, @CurrentCaller() caller: Caller): Promise<Outcome> {
    const provider = this.#get(id);
    const guest = await this.edge.guest(caller);
    await this.proof.requireForPage(guest, PATHS.manage);
    return this.departure.leave(provider, guest);
  }

  /** Without a ticket it is a reload after the form. */
  @Get('connect')
  async goOn(
    @Param('provider') id: string,
    @Query() { ticket }: ConnectQuery,
    @CurrentCaller() caller: Caller,
  ): Promise<Outcome> {
    if (ticket === undefined) return redirect(PATHS.manage);
    return this.departure.leaveWith(ticket, this.#get(id), await this.edge.guest(caller));
  }

  @Get('disconnect')
  show(): Outcome {
    return redirect(PATHS.manage);
  }

  @Post('disconnect')
  async disconnect(@Param('provider') id: string, @CurrentCaller() caller: Caller): Promise<Outcome> {
    const guest = await this.edge.guest(caller);
    await this.proof.requireForPage(guest, PATHS.manage);
    const failure = await failureOf(() => this.disconnecting.disconnect(id, guest));
    // Pressed twice, or in two tabs: it is as it was wanted.
    if (failure?.code === 'last way in') return this.overview.show(guest, { failure });
    return redirect(`${PATHS.manage}?${AREA_QUERY.status}=oauth-disconnect-success`);
  }

  #get(id: string): ProviderProfile {
    const profile = this.providers.find(id);
    if (!profile) throw new Fault('page_not_found', 'No provider of this name is set up');
    return profile;
  }
}
