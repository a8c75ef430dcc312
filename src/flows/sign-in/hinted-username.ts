/**
 * Finds the username that `id_token_hint` stands for, to fill in the form (OpenID Connect Core, section 3.1.2.1). Anybody may
 * have an ID token, so the username is filled in only where that reveals nothing: the token contains the username, or the
 * person is signed in in this browser.
 */
import { Injectable } from '@nestjs/common';
import { Accounts } from '../../accounts/account/accounts.js';
import { BrowserSessions } from '../../accounts/sessions/browser-sessions.js';
import type { RequestContext } from '../../gateway/http/request-context.js';
import type { LoginRequest } from '../../hydra/hydra.port.js';

@Injectable()
export class HintedUsername {
  constructor(
    private readonly accounts: Accounts,
    private readonly sessions: BrowserSessions,
  ) {}

  async find({ idTokenHint, loginHint }: LoginRequest, { browser }: RequestContext): Promise<string | undefined> {
    if (!idTokenHint || loginHint !== undefined) return undefined;
    const account = await this.accounts.find(idTokenHint.subject);
    if (account?.status !== 'active') return undefined;
    const { username } = account;
    const isKnown = idTokenHint.username === username || (await this.sessions.find(browser, account.id)) !== null;
    return isKnown ? username : undefined;
  }
}
