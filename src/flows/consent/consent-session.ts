/** Whose browser a consent request belongs to, and whether the person is still signed in. */
import { Injectable } from '@nestjs/common';
import { Accounts } from '../../accounts/account/accounts.js';
import type { Account } from '../../accounts/account/accounts.js';
import { BrowserSessions } from '../../accounts/sessions/browser-sessions.js';
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

  /** Only the browser in which the person signed in may see the request and decide. */
  isOwn({ loginSessionId: sessionId, subject }: ConsentRequest, context: RequestContext): Promise<boolean> {
    return this.binding.isOwn({ sessionId, subject }, context);
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
