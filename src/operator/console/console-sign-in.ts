/**
 * Signs operators in to the console: begins the sign-in at Hydra, and turns the verified identity into an operator session. Every
 * result is a redirect, because a person is waiting; a refusal leads to a page with a reason and the id of the request.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { Accounts } from '../../accounts/account/accounts.js';
import { AuditLog, type AuditContext } from '../../accounts/audit/audit-log.js';
import { buildRefusedSignIn, OperatorSessions } from '../../accounts/operators/operator-sessions.js';
import { Clock } from '../../config/clock.js';
import { LOG } from '../../config/log.token.js';
import type { OperatorContext, OperatorRequest } from '../api/operator-context.js';
import { ConsoleClient, SignInRefused, type ConsoleIdentity } from './console-client.js';
import { ConsoleCookies, type WaitingSignIn } from './console-cookies.js';
import { CONSOLE_PATHS, toReturnPath } from './console-paths.js';

/** The address to which the browser is redirected, and the cookies that it receives. */
export interface ConsoleRedirect {
  location: string;
  cookies: readonly string[];
}

/** Why a sign-in was refused. The page of the console has a text for each reason. */
type RefusalReason = 'not_operator' | 'second_factor' | 'expired' | 'other_person' | 'unavailable' | 'denied';

interface Admission {
  isProof: boolean;
  /** Secret of the session in this browser; null without a session. */
  sessionSecret: string | null;
  request: OperatorRequest;
}

/** Decides whether a person who has signed in receives a session. */
@Injectable()
export class ConsoleOperators {
  constructor(
    private readonly accounts: Accounts,
    private readonly sessions: OperatorSessions,
    private readonly audit: AuditLog,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  /** @returns the username of the operator whose session the browser has; null without a session */
  async findUsername(secret: string | null): Promise<string | null> {
    const session = secret === null ? null : await this.sessions.find(secret, false);
    return session?.account.username ?? null;
  }

  /** @returns the secret of a new session, or why none began; `signed_out` if the person has to sign in again */
  async admit(identity: ConsoleIdentity, admission: Admission): Promise<{ secret: string } | RefusalReason | 'signed_out'> {
    const { sessionSecret, request } = admission;
    const account = await this.accounts.findBySubject(identity.subject);
    if (account === null) {
      this.log.warn({ ...request.context }, 'the subject of a sign-in to the console has no account');
      return 'not_operator';
    }
    const context: AuditContext = {
      actor: 'operator',
      operator: account.username,
      operatorAccount: account.id,
      address: request.context.address,
      requestId: request.context.requestId,
    };
    if (!identity.isStrongEnough) {
      await this.audit.record(buildRefusedSignIn(account.id, 'strength', context));
      return 'second_factor';
    }
    // A proof belongs to the operator whose page waits for it.
    const session = sessionSecret === null ? null : await this.sessions.find(sessionSecret, false);
    if (admission.isProof && session !== null && session.account.id !== account.id) return 'other_person';
    const signIn = { ...identity, upstreamSessionId: identity.sessionId, accountId: account.id };
    const userAgent = request.headers['user-agent'] ?? '';
    const result = await this.sessions.begin({ ...signIn, userAgent }, sessionSecret, context);
    if (result.kind === 'begun') return { secret: result.secret };
    if (result.kind === 'signed-out') return 'signed_out';
    return result.kind === 'no-right' ? 'not_operator' : 'expired';
  }
}

@Injectable()
export class ConsoleSignIn {
  constructor(
    @Inject(LOG) private readonly log: Logger,
    private readonly client: ConsoleClient,
    private readonly cookies: ConsoleCookies,
    private readonly clock: Clock,
    private readonly operators: ConsoleOperators,
  ) {}

  /** @param isProof whether the session in this browser needs a new proof */
  async begin(
    request: OperatorRequest,
    { returnTo, isProof }: { returnTo: unknown; isProof: boolean },
  ): Promise<ConsoleRedirect> {
    return this.#begin(request, { returnTo: toReturnPath(returnTo), isProof, isAgain: false });
  }

  async #begin(
    request: OperatorRequest,
    options: Pick<WaitingSignIn, 'returnTo' | 'isProof' | 'isAgain'>,
  ): Promise<ConsoleRedirect> {
    try {
      const secret = this.cookies.readSession(request.headers.cookie);
      const username = options.isProof ? await this.operators.findUsername(secret) : null;
      const { url, attempt } = await this.client.begin({ isAgain: options.isAgain, username });
      const begunAt = this.clock.now().getTime();
      return { location: url, cookies: [this.cookies.writeSignIn({ ...options, attempt, begunAt })] };
    } catch (error) {
      this.log.warn({ ...request.context, reason: toReason(error) }, 'the console cannot begin a sign-in');
      return this.#refuse('unavailable', request.context);
    }
  }

  /** Handles the callback from Hydra. */
  async finish(request: OperatorRequest): Promise<ConsoleRedirect> {
    const { context, headers } = request;
    const signIn = this.cookies.readSignIn(headers.cookie, this.clock.now().getTime());
    if (signIn === null) return this.#refuse('expired', context);
    const query = (request.url ?? '').split('?')[1] ?? '';
    let identity: ConsoleIdentity;
    try {
      identity = await this.client.finish(query, signIn.attempt);
    } catch (error) {
      this.log.warn({ ...context, reason: toReason(error) }, 'a sign-in to the console failed');
      return this.#refuse(error instanceof SignInRefused ? 'denied' : 'unavailable', context);
    }
    const sessionSecret = this.cookies.readSession(headers.cookie);
    const result = await this.operators.admit(identity, { isProof: signIn.isProof, sessionSecret, request });
    // The sign-in is repeated only once: if it is then still older than the sign-out, Hydra did not require the person to sign in again.
    if (result === 'signed_out' && !signIn.isAgain) return this.#begin(request, { ...signIn, isAgain: true });
    if (typeof result === 'string') return this.#refuse(result === 'signed_out' ? 'expired' : result, context);
    return {
      location: signIn.isProof ? CONSOLE_PATHS.proven : signIn.returnTo,
      cookies: [this.cookies.writeSession(result.secret), this.cookies.writeSignIn(null)],
    };
  }

  #refuse(reason: RefusalReason, { requestId }: OperatorContext): ConsoleRedirect {
    const query = new URLSearchParams({ reason, request: requestId });
    return { location: `${CONSOLE_PATHS.refused}?${query.toString()}`, cookies: [this.cookies.writeSignIn(null)] };
  }
}

function toReason(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown';
}
