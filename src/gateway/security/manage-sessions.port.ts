/**
 * The port through which the gateway uses manage sessions. It is bound in `app.module.ts`, because the gateway imports neither
 * accounts nor token rotation.
 */
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { RequestContext, ContextualRequest } from '../http/request-context.js';

/** The session of a person in the account area, or of a person who sets up a first factor during a sign-in (`enrol`). */
export interface ManageSession {
  readonly sessionId: string;
  readonly accountId: string;
  readonly scope: 'manage' | 'enrol';
  /** The pending sign-in of a factor set-up; null in the account area. */
  readonly signInId: string | null;
  readonly returnTo: { url: string; name: string } | null;
  /** Whether the last proof is fresh enough for a sensitive change (MAN-14). */
  readonly isFresh: boolean;
  /**
   * Whether the account has a second factor, and a second factor or passkey was proven. If not, a password alone is not a fresh proof for
   * an account with a second factor.
   */
  readonly hasProvenFactor: boolean;
  /**
   * Whether a credential was proven in this session, or the person is signed in in its browser. Otherwise the session is based only on the
   * access token of an app.
   */
  readonly isSignedIn: boolean;
}

/** A call that changes something: its token and its content. */
export interface ManageChange {
  bearer: string;
  /** Method, path and body. */
  request: string;
}

/** `answered`: the same call was answered before. `other`: the token has been used for another change. */
export type ClaimedChange = { state: 'new' | 'running' | 'other' } | { state: 'answered'; answer: object };

export abstract class ManageSessions {
  /** Finds the session of the cookie. Changes nothing, except that it may store the time of the request. */
  abstract findByCookie(context: RequestContext): Promise<ManageSession | null>;
  /**
   * Admits a call by its bearer token, which is then used up (RPC-8).
   * @returns null if the token is not authentic or is used again too late, or if its session has ended or lacks the required cookie
   */
  abstract admitCall(bearer: string, context: RequestContext): Promise<{ session: ManageSession; nextToken: string } | null>;
  /** Claims the token for a change, because one token makes one change. */
  abstract claimChange(change: ManageChange): Promise<ClaimedChange>;
  /** Stores the answer for a repetition; null: the call failed unexpectedly, and the same call may be tried again. */
  abstract storeChange(change: ManageChange, answer: object | null): Promise<void>;
  /** Checks the session again after the body of the call has arrived. @returns null if the session has ended */
  abstract findAdmitted(sessionId: string): Promise<ManageSession | null>;
}

export interface ManageHttpRequest extends ContextualRequest {
  session?: ManageSession;
}

/** The session that the guard of `InManageSession`, or `rpcAccess`, has found for this request. */
export const CurrentManageSession = createParamDecorator((_: unknown, context: ExecutionContext): ManageSession => {
  const { session } = context.switchToHttp().getRequest<ManageHttpRequest>();
  if (!session) throw new Error('This route has no guard that provides a manage session');
  return session;
});
