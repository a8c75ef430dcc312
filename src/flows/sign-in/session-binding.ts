/**
 * Binds a session at Hydra to the browser that signed in. Hydra's challenges work for anybody who sees the
 * address, and its session cookie outlives the browser; so a session continues, and consent is given, only in the browser
 * with Foyer's own cookie of that session or with the browser id of that session. Unless the person stays signed in, both
 * end with the browser.
 */
import { Injectable } from '@nestjs/common';
import { BrowserSessions, type BrowserSession } from '../../accounts/sessions/browser-sessions.js';
import { Keys, fingerprint } from '../../config/keys.js';
import type { RequestContext } from '../../gateway/http/request-context.js';

/** The session that a login, consent or logout request names; `sessionId` is empty if Hydra names none. */
export interface NamedSession {
  sessionId: string;
  subject: string;
}

@Injectable()
export class SessionBinding {
  constructor(
    private readonly keys: Keys,
    private readonly sessions: BrowserSessions,
  ) {}

  /**
   * Value of the cookie. Equal sessions have equal values, so that both answers to a double click agree. The value also covers
   * the person: signing in with the session id of another person does not yield the cookie of that session.
   */
  toCookie({ sessionId, subject }: NamedSession): string {
    return this.keys.mac('session-cookie', toMacInput({ sessionId, subject }));
  }

  /** Checks the cookie without the database. A browser without the cookie may still own the session; see `isOwn`. */
  hasCookie(namedSession: NamedSession, { browserSession }: RequestContext): boolean {
    return browserSession !== null && this.keys.verifyMac('session-cookie', toMacInput(namedSession), browserSession);
  }

  /** @param session the record of the session, if it was read before */
  async isOwn(namedSession: NamedSession, context: RequestContext, session?: BrowserSession | null): Promise<boolean> {
    const { sessionId, subject } = namedSession;
    if (sessionId === '') return (await this.sessions.find(context.browser, subject)) !== null;
    if (this.hasCookie(namedSession, context)) return true;
    const record = session === undefined ? await this.sessions.findByUpstreamSession(sessionId, subject) : session;
    // The cookie names the newest session. Earlier sessions, and sessions of version 0.1, are recognised by the browser id.
    return record?.browserHash === fingerprint(context.browser);
  }

  /**
   * The check for a browser without Foyer's cookie of a session. The restarted request brings the check back, which proves that
   * Hydra's cookie of the session is in the browser with this id. Somebody who only saw the address of the challenge cannot
   * bring the check back.
   */
  toCheck({ sessionId }: NamedSession, { browser }: RequestContext): string {
    return this.keys.mac('browser-check', `${browser} ${sessionId}`);
  }

  isChecked({ sessionId }: NamedSession, check: string, { browser }: RequestContext): boolean {
    return this.keys.verifyMac('browser-check', `${browser} ${sessionId}`, check);
  }
}

function toMacInput({ sessionId, subject }: NamedSession): string {
  return `${subject} ${sessionId}`;
}
