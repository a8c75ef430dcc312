/** Whose browser a consent request belongs to, and whether the person is still signed in. */
import { Injectable } from '@nestjs/common';
import { Accounts } from '../../accounts/account/accounts.js';
import type { Account } from '../../accounts/account/accounts.js';
import { BrowserSessions } from '../../accounts/sessions/browser-sessions.js';
import { fingerprint } from '../../config/keys.js';
import type { RequestContext } from '../../gateway/http/request-context.js';
import type { ConsentRequest } from '../../hydra/hydra.port.js';
import { SessionBinding } from '../sign-in/session-binding.js';

@Injectable()
export class ConsentSession {
  constructor(
    private readonly accounts: Accounts,
    private readonly sessions: BrowserSessions,
    private readonly binding: SessionBinding,
  ) {}

  /**
   * Only the browser in which the person signed in may see the request and decide. After another sign-in in this browser
   * its cookie names the newer session; an older one is known by the id of the browser, which it moved to.
   */
  async isOwn({ loginSessionId: sessionId, subject }: ConsentRequest, context: RequestContext): Promise<boolean> {
    const session = await this.sessions.findByUpstreamSession(sessionId, subject);
    return session?.browserHash === fingerprint(context.browser) || this.binding.isOwn({ sessionId, subject }, context, session);
  }

  /**
   * An accepted login whose redirect was not followed yet survives the end of sessions at the OAuth server; the own
   * record does not (S-44).
   */
  async signedIn({ subject, loginSessionId }: ConsentRequest): Promise<Account | null> {
    const account = await this.accounts.find(subject);
    if (account?.status !== 'active') return null;
    const isOpen = loginSessionId === '' || (await this.sessions.findByUpstreamSession(loginSessionId, account.id)) !== null;
    return isOpen ? account : null;
  }
}
