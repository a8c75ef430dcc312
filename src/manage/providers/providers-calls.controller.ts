/** Connected providers by calls (RPC-7). */
import { Body, Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ExternalIdentities } from '../../accounts/identities/external-identities.js';
import { PATHS } from '../../contract/paths.js';
import type { ConnectUrlAnswer, OAuthAccountsAnswer } from '../../contract/rpc.js';
import { AreaCall } from '../../gateway/security/access.guard.js';
import { CurrentVisitor } from '../../gateway/security/manage-sessions.port.js';
import type { AreaVisitor } from '../../gateway/security/manage-sessions.port.js';
import { CallFailed } from '../../gateway/http/calls.js';
import { IdentityProviders } from '../../providers/identity-providers.port.js';
import { AreaEdge } from '../session/manage-pages.js';
import { bodyText, callBody } from '../session/call-body.js';
import { FreshProof } from '../session/fresh-proof.js';
import { CurrentCaller } from '../session/manage-session.js';
import type { Caller, Guest } from '../session/manage-session.js';
import { ConnectDeparture } from './connect-start.js';
import { Disconnecting } from './disconnect.js';

@AreaCall()
@Controller(`${PATHS.manageRpc}/oauth`)
export class ProvidersCallsController {
  constructor(
    private readonly edge: AreaEdge,
    private readonly proof: FreshProof,
    private readonly identities: ExternalIdentities,
    private readonly providers: IdentityProviders,
    private readonly departure: ConnectDeparture,
    private readonly disconnecting: Disconnecting,
  ) {}

  @Get('accounts')
  async list(@CurrentVisitor() { accountId }: AreaVisitor): Promise<OAuthAccountsAnswer> {
    const connections = await this.identities.list(accountId);
    return Object.fromEntries(
      connections.map(({ provider, subject, label }) => [
        provider,
        { id: subject, name: label ?? this.providers.find(provider)?.name ?? provider },
      ]),
    );
  }

  @Delete(':provider')
  async disconnect(@Param('provider') id: string, @CurrentCaller() caller: Caller): Promise<object> {
    await this.disconnecting.disconnect(id, await this.#guest(caller));
    return {};
  }

  @Post('connect-url/:provider')
  @HttpCode(200)
  async connectUrl(
    @Param('provider') id: string,
    @Body() body: unknown,
    @CurrentCaller() caller: Caller,
  ): Promise<ConnectUrlAnswer> {
    const returnTo = bodyText(callBody(body ?? {}), 'returnToUrl');
    const provider = this.providers.find(id);
    if (!provider) throw new CallFailed('page_not_found');
    return { url: await this.departure.urlFor(provider, await this.#guest(caller), returnTo) };
  }

  async #guest(caller: Caller): Promise<Guest> {
    const guest = await this.edge.guest(caller);
    await this.proof.requireForCall(guest);
    return guest;
  }
}
