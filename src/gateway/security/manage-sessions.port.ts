/**
 * What the edge needs to know of the account area's sessions. Declared here and bound in `app.module.ts`: the edge knows
 * neither accounts nor how tokens rotate.
 */
import { createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import type { Visit, VisitedRequest } from '../http/request-context.js';

/** Who is in the account area, or sets up a first factor during a sign-in (`enrol`). */
export interface AreaVisitor {
  readonly sessionId: string;
  readonly accountId: string;
  readonly scope: 'manage' | 'enrol';
  /** The sign-in that a set-up belongs to; null in the account area. */
  readonly pendingId: string | null;
  readonly returnTo: { url: string; name: string } | null;
  /** The last proof of a password or a factor is fresh enough for a sensitive change (MAN-14). */
  readonly isFresh: boolean;
}

export abstract class AreaSessions {
  /** By the session cookie. Writes at most the moment of the visit. */
  abstract findByCookie(visit: Visit): Promise<AreaVisitor | null>;
  /**
   * By the bearer token of a call, which it uses up (RPC-8).
   * @returns null for a token that is unknown, over, or was used before and is not repeated at once
   */
  abstract admitCall(bearer: string, visit: Visit): Promise<{ visitor: AreaVisitor; nextToken: string } | null>;
  /** Once more after the body of the call has come, which may have taken its time. @returns null when the session is over */
  abstract findAdmitted(sessionId: string): Promise<AreaVisitor | null>;
}

export interface AreaRequest extends VisitedRequest {
  visitor?: AreaVisitor;
}

/** Set by the guard of `InArea` and by the door of the calls. */
export const CurrentVisitor = createParamDecorator((_: unknown, context: ExecutionContext): AreaVisitor => {
  const { visitor } = context.switchToHttp().getRequest<AreaRequest>();
  if (!visitor) throw new Error('This route states no protection that knows a visitor');
  return visitor;
});
