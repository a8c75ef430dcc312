/**
 * Signing in to the console: begins at Hydra, and turns the verified identity into a session of an operator. Every result is an
 * address to which the browser goes, because a person is waiting; nothing that the page shows comes from a request.
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

/** Where the browser goes, and the cookies that it gets. */
export interface ConsoleRedirect {
  location: string;
  cookies: readonly string[];
}

/** Why nobody was signed in; the page of the console has a text for each. */
type RefusalReason = 'not_operator' | 'second_factor' | 'expired' | 'other_person' | 'unavailable' | 'denied';

interface Admission {
  isProof: boolean;
  /** Secret of the session in this browser. */
  current: string | null;
  request: OperatorRequest;
}

/** Decides who of the people that have signed in gets a session. */
@Injectable()
export class ConsoleOperators {
  constructor(
    private readonly accounts: Accounts,
    private readonly sessions: OperatorSessions,
    private readonly audit: AuditLog,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  /** @returns the username of the operator whose session the browser has; null without one */
  async findUsername(secret: string | null): Promise<string | null> {
    const session = secret === null ? null : await this.sessions.find(secret, false);
    return session?.account.username ?? null;
  }

  /** @returns the secret of a new session, or why there is none; `signed_out` if the person has to prove themselves anew */
  async admit(identity: ConsoleIdentity, admission: Admission): Promise<{ secret: string } | RefusalReason | 'signed_out'> {
    const { current, request } = admission;
    const account = await this.accounts.findBySubject(identity.subject);
    if (account === null) {
      this.log.warn({ ...request.context }, 'the subject of a sign-in to the console has no account');
      return 'not_operator';
    }
    const by: AuditContext = {
      actor: 'operator',
      operator: account.username,
      operatorAccount: account.id,
      address: request.context.address,
      requestId: request.context.requestId,
    };
    if (!identity.isStrongEnough) {
      await this.audit.record(buildRefusedSignIn(account.id, 'strength', by));
      return 'second_factor';
    }
    // A proof belongs to the operator whose page waits for it.
    const session = current === null ? null : await this.sessions.find(current, false);
    if (admission.isProof && session !== null && session.account.id !== account.id) return 'other_person';
    const signIn = { ...identity, upstreamSessionId: identity.sessionId, accountId: account.id };
    const userAgent = request.headers['user-agent'] ?? '';
    const begun = await this.sessions.begin({ ...signIn, userAgent }, current, by);
    if (begun.kind === 'begun') return { secret: begun.secret };
    if (begun.kind === 'signed-out') return 'signed_out';
    return begun.kind === 'no-right' ? 'not_operator' : 'expired';
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
    wanted: Pick<WaitingSignIn, 'returnTo' | 'isProof' | 'isAgain'>,
  ): Promise<ConsoleRedirect> {
    try {
      const secret = this.cookies.readSession(request.headers.cookie);
      const username = wanted.isProof ? await this.operators.findUsername(secret) : null;
      const { url, attempt } = await this.client.begin({ isAgain: wanted.isAgain, username });
      const begunAt = this.clock.now().getTime();
      return { location: url, cookies: [this.cookies.writeSignIn({ ...wanted, attempt, begunAt })] };
    } catch (error) {
      this.log.warn({ ...request.context, reason: toReason(error) }, 'the console cannot begin a sign-in');
      return this.#refuse('unavailable', request.context);
    }
  }

  /** The callback from Hydra. */
  async finish(request: OperatorRequest): Promise<ConsoleRedirect> {
    const { context, headers } = request;
    const waiting = this.cookies.readSignIn(headers.cookie, this.clock.now().getTime());
    if (waiting === null) return this.#refuse('expired', context);
    const query = (request.url ?? '').split('?')[1] ?? '';
    let identity: ConsoleIdentity;
    try {
      identity = await this.client.finish(query, waiting.attempt);
    } catch (error) {
      this.log.warn({ ...context, reason: toReason(error) }, 'a sign-in to the console failed');
      return this.#refuse(error instanceof SignInRefused ? 'denied' : 'unavailable', context);
    }
    const current = this.cookies.readSession(headers.cookie);
    const result = await this.operators.admit(identity, { isProof: waiting.isProof, current, request });
    // Only once: a sign-in that is still older than the sign-out was not asked for the proof.
    if (result === 'signed_out' && !waiting.isAgain) return this.#begin(request, { ...waiting, isAgain: true });
    if (typeof result === 'string') return this.#refuse(result === 'signed_out' ? 'expired' : result, context);
    return {
      location: waiting.isProof ? CONSOLE_PATHS.proven : waiting.returnTo,
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
