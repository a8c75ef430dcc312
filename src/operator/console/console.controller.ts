/** The routes of the console that are neither its files nor the operator API. None of them requires a token of the operator API. */
import type { ServerResponse } from 'node:http';
import { Controller, Get, HttpCode, Inject, Post, Query, Req, Res } from '@nestjs/common';
import type { Logger } from 'pino';
import { Accounts } from '../../accounts/account/accounts.js';
import { OPERATOR_SESSION_SECONDS, OperatorSessions } from '../../accounts/operators/operator-sessions.js';
import type { Config, OperatorRights } from '../../config/config.js';
import { CONFIG } from '../../config/config.token.js';
import { LOG } from '../../config/log.token.js';
import { isObject } from '../../config/settings-kinds.js';
import { UpstreamUnavailable } from '../../hydra/hydra.errors.js';
import type { OperatorRequest } from '../api/operator-context.js';
import { OperatorFault } from '../api/operator-fault.js';
import { WithoutToken } from '../api/rights.guard.js';
import { listOperations, type OperationId } from '../operations.js';
import { ConsoleAccess } from './console-access.js';
import { ConsoleClient } from './console-client.js';
import { ConsoleCookies } from './console-cookies.js';
import { CONSOLE_PATHS } from './console-paths.js';
import { ConsoleSignIn, type ConsoleRedirect } from './console-sign-in.js';

/** The operator who is signed in, and the operations that they may do. */
interface ConsoleSessionAnswer {
  operator: { account_id: string; username: string; display_name: string; language: string | null };
  rights: readonly OperatorRights[];
  operations: readonly OperationId[];
  /** Until when dangerous operations require no new proof; null if the proof is already too old. */
  fresh_until: string | null;
  /** Whether some operations wait for a second operator (OPERATOR_APPROVAL). */
  second_operator: boolean;
  /** Whether operations from which an impostor could profit require a check of who is calling (SUPPORT_CHECK). */
  support_check: boolean;
  /** Whether people who sign up wait for an operator (REGISTRATION=own-with-approval). */
  sign_up_approval: boolean;
  /** Whether people can be invited: invitations are mailed. */
  invitations: boolean;
  ends_at: string;
  idle_seconds: number;
  public_url: string;
}

@Controller()
export class ConsoleController {
  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'publicUrl' | 'operator' | 'registration' | 'mail'>,
    private readonly access: ConsoleAccess,
    private readonly cookies: ConsoleCookies,
    private readonly signIn: ConsoleSignIn,
    private readonly sessions: OperatorSessions,
  ) {}

  @Get(CONSOLE_PATHS.session)
  @WithoutToken()
  async session(@Req() request: OperatorRequest): Promise<ConsoleSessionAnswer> {
    const { account, rights, isFresh, freshUntil, endsAt } = await this.access.require(request);
    return {
      operator: {
        account_id: account.id,
        username: account.username,
        display_name: account.displayName,
        language: account.language ?? null,
      },
      rights,
      operations: listOperations(rights),
      fresh_until: isFresh ? freshUntil.toISOString() : null,
      second_operator: this.config.operator.approval !== 'off',
      support_check: this.config.operator.supportCheck,
      sign_up_approval: this.config.registration.signUp?.approval !== undefined,
      invitations: this.config.mail.server !== undefined,
      ends_at: endsAt.toISOString(),
      idle_seconds: OPERATOR_SESSION_SECONDS.idle,
      public_url: this.config.publicUrl,
    };
  }

  @Get(CONSOLE_PATHS.signIn)
  @WithoutToken()
  async begin(
    @Req() request: OperatorRequest,
    @Query() { return_to: returnTo, fresh }: Record<string, unknown>,
    @Res() response: ServerResponse,
  ): Promise<void> {
    redirect(response, await this.signIn.begin(request, { returnTo, isProof: fresh === '1' }));
  }

  @Get(CONSOLE_PATHS.callback)
  @WithoutToken()
  async finish(@Req() request: OperatorRequest, @Res() response: ServerResponse): Promise<void> {
    redirect(response, await this.signIn.finish(request));
  }

  @Post(CONSOLE_PATHS.signOut)
  @HttpCode(204)
  @WithoutToken()
  async signOut(@Req() request: OperatorRequest, @Res({ passthrough: true }) response: ServerResponse): Promise<void> {
    this.access.requireOwnOrigin(request);
    const secret = this.cookies.readSession(request.headers.cookie);
    if (secret !== null) await this.sessions.end(secret, request.context);
    response.setHeader('Set-Cookie', this.cookies.writeSession(null));
  }
}

/** Receives the logout tokens of Hydra (OpenID Connect Back-Channel Logout 1.0). */
@Controller()
export class ConsoleLogoutController {
  constructor(
    @Inject(LOG) private readonly log: Logger,
    private readonly client: ConsoleClient,
    private readonly accounts: Accounts,
    private readonly sessions: OperatorSessions,
  ) {}

  /** @throws OperatorFault 400 for a token that is not valid; UpstreamUnavailable (503) if it cannot be verified with the keys of Hydra */
  @Post(CONSOLE_PATHS.backChannelLogout)
  @HttpCode(200)
  @WithoutToken()
  async end(@Req() request: OperatorRequest): Promise<void> {
    const token = isObject(request.body) ? request.body['logout_token'] : undefined;
    const { sessionId, subject, endsBefore } = await this.#read(typeof token === 'string' ? token : '', request);
    const context = { ...request.context, actor: 'system' } as const;
    if (sessionId !== undefined) await this.sessions.endForUpstream({ sessionId }, endsBefore, context);
    else if (subject !== undefined) {
      const account = await this.accounts.findBySubject(subject);
      if (account !== null) await this.sessions.endForUpstream({ accountId: account.id }, endsBefore, context);
    }
  }

  async #read(token: string, { context }: OperatorRequest): ReturnType<ConsoleClient['readLogoutToken']> {
    try {
      return await this.client.readLogoutToken(token);
    } catch (error) {
      if (error instanceof UpstreamUnavailable) throw error;
      this.log.warn({ ...context, reason: error instanceof Error ? error.message : 'unknown' }, 'a logout token was refused');
      throw new OperatorFault(400, 'invalid_request', 'The logout token is not valid.');
    }
  }
}

function redirect(response: ServerResponse, { location, cookies }: ConsoleRedirect): void {
  response.writeHead(303, { Location: location, 'Set-Cookie': [...cookies] }).end();
}
