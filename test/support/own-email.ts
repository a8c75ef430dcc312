/** People who change their e-mail address in the account area, and the mails about it. */
import type { Account } from '../../src/accounts/account/accounts.js';
import type { ClaimedMail } from '../../src/accounts/queue/outbox-claims.js';
import { PATHS } from '../../src/contract/paths.js';
import type { TestGateway } from './gateway.js';
import { ManageUser, newPerson } from './manage.js';
import { NotMeStory } from './not-me.js';
import type { TestPage } from './test-browser.js';

let count = 0;

export class EmailStory {
  readonly notMe: NotMeStory;

  constructor(private readonly gateway: TestGateway) {
    this.notMe = new NotMeStory(gateway);
  }

  /** Creates an address that no account has. */
  address(): string {
    return `mail${(count += 1)}@example.org`;
  }

  /** Opens the account area with a fresh proof, for a person with a verified address. */
  async createPerson(): Promise<{ account: Account; user: ManageUser }> {
    const account = await newPerson(this.gateway, { email: this.address(), emailVerified: true });
    return { account, user: await ManageUser.enter(this.gateway, { account, fresh: true }) };
  }

  listMails(email: string): Promise<ClaimedMail[]> {
    return this.notMe.listMails({ email });
  }

  /** Finds the newest code that was mailed to this address. */
  async findCode(to: string): Promise<string> {
    const code = (await this.listMails(to)).filter(({ kind }) => kind === 'email-change-code').at(-1)?.values['code'];
    if (typeof code !== 'string') throw new Error(`No code was mailed to ${to}.`);
    return code;
  }

  /** Changes the address in both steps. */
  async change(user: ManageUser, to: string): Promise<TestPage> {
    await user.post(PATHS.manageEmail, { email: to });
    return user.post(PATHS.manageEmailCode, { code: await this.findCode(to) });
  }

  /** Finds the token of the link in the newest notice about a change that was sent to this address. */
  findReturnToken(email: string): Promise<string> {
    return this.notMe.findToken({ email }, 'own-email-changed');
  }
}
