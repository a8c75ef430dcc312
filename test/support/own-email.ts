/** People who change their e-mail address in the account area, and the mails that belong to it. */
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

  /** One that nobody has. */
  address(): string {
    return `mail${(count += 1)}@example.org`;
  }

  /** Somebody with a verified address, in the account area with a fresh proof. */
  async person(): Promise<{ account: Account; user: ManageUser }> {
    const account = await newPerson(this.gateway, { email: this.address(), emailVerified: true });
    return { account, user: await ManageUser.enter(this.gateway, { account, fresh: true }) };
  }

  mails(email: string): Promise<ClaimedMail[]> {
    return this.notMe.mails({ email });
  }

  /** The newest one that was mailed there. */
  async code(to: string): Promise<string> {
    const code = (await this.mails(to)).filter(({ kind }) => kind === 'email-change-code').at(-1)?.values['code'];
    if (typeof code !== 'string') throw new Error(`No code was mailed to ${to}.`);
    return code;
  }

  /** Both steps. */
  async change(user: ManageUser, to: string): Promise<TestPage> {
    await user.post(PATHS.manageEmail, { email: to });
    return user.post(PATHS.manageEmailCode, { code: await this.code(to) });
  }

  /** The token of the link in the newest notice about a change that was sent there. */
  wayBackTo(email: string): Promise<string> {
    return this.notMe.token({ email }, 'own-email-changed');
  }
}
