/** RPC calls for connected providers (RPC-7). */
import { Body, Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ExternalIdentities } from '../../accounts/identities/external-identities.js';
import { PATHS } from '../../contract/paths.js';
import type { ConnectUrlAnswer, OAuthAccountsAnswer } from '../../contract/rpc.js';
import { CallBody } from '../../gateway/http/body-rules.js';
import { CallText } from '../../gateway/http/form-fields.decorators.js';
import { RpcCall } from '../../gateway/security/access.guard.js';
import { CurrentManageSession, type ManageSession } from '../../gateway/security/manage-sessions.port.js';
import { CallFailed } from '../../gateway/http/calls.js';
import { IdentityProviders } from '../../providers/identity-providers.port.js';
import { ManagePages } from '../session/manage-pages.js';
import { CurrentManageRequest, type ManageRequest } from '../session/manage-session.js';
import { ConnectStart } from './connect-start.js';
import { DisconnectProvider } from './disconnect.js';

@CallBody('optional')
class ConnectBody {
  @CallText()
  returnToUrl = '';
}

@RpcCall()
@Controller(`${PATHS.manageRpc}/oauth`)
export class ProvidersCallsController {
  constructor(
    private readonly pages: ManagePages,
    private readonly identities: ExternalIdentities,
    private readonly providers: IdentityProviders,
    private readonly connectStart: ConnectStart,
    private readonly disconnectProvider: DisconnectProvider,
  ) {}

  @Get('accounts')
  async list(@CurrentManageSession() { accountId }: ManageSession): Promise<OAuthAccountsAnswer> {
    const connections = await this.identities.list(accountId);
    return Object.fromEntries(
      connections.map(({ provider, subject, label }) => [
        provider,
        { id: subject, name: label ?? this.providers.find(provider)?.name ?? provider },
      ]),
    );
  }

  @Delete(':provider')
  async disconnect(@Param('provider') id: string, @CurrentManageRequest() request: ManageRequest): Promise<object> {
    await this.disconnectProvider.disconnect(id, await this.pages.loadContext(request));
    return {};
  }

  @Post('connect-url/:provider')
  @HttpCode(200)
  async issueConnectUrl(
    @Param('provider') id: string,
    @Body() { returnToUrl }: ConnectBody,
    @CurrentManageRequest() request: ManageRequest,
  ): Promise<ConnectUrlAnswer> {
    const provider = this.providers.find(id);
    if (!provider) throw new CallFailed('page_not_found');
    return { url: await this.connectStart.issueUrl(provider, await this.pages.loadContext(request), returnToUrl) };
  }
}
