/**
 * What the gateway needs to know of the account area's sessions. Declared here and bound in `app.module.ts`: the gateway knows
 * neither accounts nor how tokens rotate.
 */
import { createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import type { RequestContext, ContextualRequest } from '../http/request-context.js';

/** Who is in the account area, or sets up a first factor during a sign-in (`enrol`). */
export interface ManageSession {
  readonly sessionId: string;
  readonly accountId: string;
  readonly scope: 'manage' | 'enrol';
  /** The sign-in that a set-up belongs to; null in the account area. */
  readonly pendingId: string | null;
  readonly returnTo: { url: string; name: string } | null;
  /** The last proof of a password or a factor is fresh enough for a sensitive change (MAN-14). */
  readonly isFresh: boolean;
}

export abstract class ManageSessions {
  /** By the session cookie. Writes at most the moment of the request. */
  abstract findByCookie(context: RequestContext): Promise<ManageSession | null>;
  /**
   * By the bearer token of a call, which it uses up (RPC-8).
   * @returns null for a token that is unknown, over, or was used before and is not repeated at once
   */
  abstract admitCall(bearer: string, context: RequestContext): Promise<{ session: ManageSession; nextToken: string } | null>;
  /** Once more after the body of the call has come, which may have taken its time. @returns null when the session is over */
  abstract findAdmitted(sessionId: string): Promise<ManageSession | null>;
}

export interface ManageHttpRequest extends ContextualRequest {
  session?: ManageSession;
}

/** Set by the guard of `InManageSession` and by `rpcAccess`. */
export const CurrentManageSession = createParamDecorator((_: unknown, context: ExecutionContext): ManageSession => {
  const { session } = context.switchToHttp().getRequest<ManageHttpRequest>();
  if (!session) throw new Error('This route states no protection that has a manage session');
  return session;
});
