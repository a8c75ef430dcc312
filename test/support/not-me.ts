/** People who receive a notice of a change that they have not made: the link of the mail, the question, the answer. */
import { OutboxClaims, type ClaimedMail } from '../../src/accounts/queue/outbox-claims.js';
import type { Account } from '../../src/accounts/account/accounts.js';
import type { MailKind } from '../../src/accounts/queue/mail-kinds.js';
import { FIELDS } from '../../src/contract/form-fields.js';
import { PATHS } from '../../src/contract/paths.js';
import type { TestGateway } from './gateway.js';
import type { Fields, TestBrowser, TestPage } from './test-browser.js';

export class NotMeStory {
  readonly #mails: ClaimedMail[] = [];

  constructor(private readonly gateway: TestGateway) {}

  /** Lists all mails of a person so far, oldest first. */
  async listMails({ email }: Pick<Account, 'email'>): Promise<ClaimedMail[]> {
    const claims = this.gateway.get(OutboxClaims);
    // A claim returns its rows in any order.
    const fresh = (await claims.claim(100)).toSorted((one, other) => one.id - other.id);
    for (const mail of fresh) await claims.markSent(mail);
    this.#mails.push(...fresh);
    return this.#mails.filter(({ recipient }) => recipient === email);
  }

  /** Finds the token in the newest mail of this kind. */
  async findToken(account: Pick<Account, 'email'>, kind: MailKind = 'password-changed'): Promise<string> {
    const token = (await this.listMails(account)).filter((mail) => mail.kind === kind).at(-1)?.values['token'];
    if (typeof token !== 'string') throw new Error(`There is no mail ${kind} with a link.`);
    return token;
  }

  open(token: string, browser = this.gateway.browser()): Promise<TestPage> {
    return browser.get(`${PATHS.notMe}?${FIELDS.linkToken}=${token}`);
  }

  /** Opens the form behind the link, without submitting it. */
  async openForm(token: string, browser = this.gateway.browser()): Promise<{ browser: TestBrowser; fields: Fields }> {
    const { not_me } = (await this.open(token, browser)).state('not_me');
    if (not_me.status !== 'ask') throw new Error(`The link shows ${not_me.status}`);
    return { browser, fields: { _xsrf: not_me.xsrf_token, [FIELDS.linkToken]: not_me.token } };
  }

  async submit(token: string): Promise<TestPage> {
    const { browser, fields } = await this.openForm(token);
    return browser.post(PATHS.notMe, fields);
  }
}
