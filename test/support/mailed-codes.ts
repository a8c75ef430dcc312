/** Signs people in with a code by mail over HTTP (`CODE_SIGN_IN`). */
import { OutboxClaims, type ClaimedMail } from '../../src/accounts/queue/outbox-claims.js';
import { PATHS } from '../../src/contract/paths.js';
import { RequestedMails } from '../../src/flows/sign-in/requested-mails.js';
import type { TestGateway } from './gateway.js';
import type { TestBrowser, TestPage } from './test-browser.js';

/** A login request that is open in a browser. */
export interface OpenedRequest {
  browser: TestBrowser;
  challenge: string;
}

export const toCodeUrl = (challenge: string) => `${PATHS.loginCode}?login_challenge=${challenge}`;

export class MailedCodeStory {
  constructor(private readonly gateway: TestGateway) {}

  /** Reads the hidden fields of the page that is shown at the address of the code. */
  async readFields({ browser, challenge }: OpenedRequest, query = ''): Promise<Record<string, string>> {
    const page = await browser.get(toCodeUrl(challenge) + query);
    const { xsrf_token, login_challenge, ticket } = page.state('mailed_code').mailed_code;
    return { _xsrf: xsrf_token, login_challenge, ticket };
  }

  async ask(opened: OpenedRequest, username: string): Promise<TestPage> {
    return opened.browser.post(PATHS.loginCode, { ...(await this.readFields(opened, '&status=ask')), username });
  }

  async enter(opened: OpenedRequest, code: string): Promise<TestPage> {
    return opened.browser.post(PATHS.loginCode, { ...(await this.readFields(opened)), code });
  }

  /** Lists the mails that were queued since the last call, oldest first. */
  async listMails(): Promise<ClaimedMail[]> {
    await this.gateway.get(RequestedMails).waitForAll();
    const claims = this.gateway.get(OutboxClaims);
    const mails = (await claims.claim(100)).toSorted((one, other) => one.id - other.id);
    for (const mail of mails) await claims.markSent(mail);
    return mails.filter(({ kind }) => kind === 'sign-in-code' || kind === 'code-not-sent' || kind === 'email-code');
  }

  async readCode(): Promise<string> {
    const code = (await this.listMails()).at(-1)?.values['code'];
    if (typeof code !== 'string') throw new Error('There is no mail with a code');
    return code;
  }

  /** Requests a code and enters it. */
  async signIn(opened: OpenedRequest, username: string): Promise<TestPage> {
    await this.ask(opened, username);
    return this.enter(opened, await this.readCode());
  }
}
