/**
 * People who have forgotten a password or lost a factor: the request form, the token of the mail, and the form behind
 * the link.
 */
import { OutboxClaims, type ClaimedMail } from '../../src/accounts/queue/outbox-claims.js';
import { PATHS } from '../../src/contract/paths.js';
import { RequestedMails } from '../../src/flows/sign-in/requested-mails.js';
import type { TestGateway } from './gateway.js';
import type { Fields, TestBrowser, TestPage } from './test-browser.js';

export const NEW_PASSWORD = 'zinn ahorn 7735';

export class ResetStory {
  constructor(private readonly gateway: TestGateway) {}

  /** Opens the request form in a browser. @param query with its `?` */
  async form(browser: TestBrowser, query = ''): Promise<{ page: TestPage; fields: Record<string, string> }> {
    const page = await browser.get(PATHS.passwordRequestForm + query);
    const { xsrf_token: _xsrf, ticket } = page.state('password_request_form').password_request_form;
    return { page, fields: { _xsrf, ticket } };
  }

  async ask(username: string, browser = this.gateway.browser(), query = ''): Promise<TestPage> {
    const { fields } = await this.form(browser, query);
    return browser.post(PATHS.passwordRequest, { ...fields, username });
  }

  /** Lists the reset mails that were queued since the last call, oldest first. */
  async listMails(): Promise<ClaimedMail[]> {
    await this.gateway.get(RequestedMails).waitForAll();
    const claims = this.gateway.get(OutboxClaims);
    // A claim returns its rows in any order.
    const mails = (await claims.claim(100)).toSorted((one, other) => one.id - other.id);
    for (const mail of mails) await claims.markSent(mail);
    return mails.filter(({ kind }) => kind === 'password-reset');
  }

  /** Requests a reset and reads the mail. */
  async requestToken(username: string, browser?: TestBrowser, query = ''): Promise<string> {
    await this.ask(username, browser, query);
    const token = (await this.listMails()).at(-1)?.values['token'];
    if (typeof token !== 'string') throw new Error('There is no mail with a token.');
    return token;
  }

  /** Opens the form behind the link and fills it in, without submitting it. */
  async openForm(token: string, browser = this.gateway.browser()): Promise<{ browser: TestBrowser; fields: Fields }> {
    await browser.get(`${PATHS.passwordResetForm}?reset_token=${token}`);
    const page = await browser.get(PATHS.passwordResetForm);
    const { xsrf_token: _xsrf, reset_token } = page.state('password_reset_form').password_reset_form;
    return { browser, fields: { _xsrf, reset_token, password: NEW_PASSWORD, password_repeat: NEW_PASSWORD } };
  }

  async reset(token: string, more: Fields = {}): Promise<TestPage> {
    const { browser, fields } = await this.openForm(token);
    return browser.post(PATHS.passwordReset, { ...fields, ...more });
  }
}
