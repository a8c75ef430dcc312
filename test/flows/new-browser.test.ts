/** A person is notified of the first sign-in in a browser that the account does not know, and can object. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/accounts/account/accounts.js';
import { PATHS } from '../../src/contract/paths.js';
import { PASSWORD, startTestGateway, type TestGateway } from '../support/gateway.js';
import { newPerson, signIn } from '../support/manage.js';
import { NotMeStory } from '../support/not-me.js';

const DAY = 24 * 3600;
const FIREFOX = { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0; rv:128.0) Gecko/20100101 Firefox/128.0' };

let gateway: TestGateway;
let story: NotMeStory;
let count = 0;

beforeAll(async () => {
  gateway = await startTestGateway();
  story = new NotMeStory(gateway);
});

afterAll(() => gateway.close());

const newReachablePerson = () => newPerson(gateway, { email: `new-browser-${(count += 1)}@example.org` });
const findNotices = async (account: Account, owner = story) =>
  (await owner.listMails(account)).filter(({ kind }) => kind === 'new-browser');

describe('[NTC-3] a sign-in in a browser that the account does not know', () => {
  it('is notified once, with browser and network, except the first sign-in of the account', async () => {
    const account = await newReachablePerson();
    await signIn(gateway, gateway.browser(), account);
    expect(await findNotices(account)).toEqual([]);
    const other = gateway.browser(FIREFOX);
    await signIn(gateway, other, account);
    expect(await findNotices(account)).toMatchObject([{ values: { browser: 'Firefox, Windows', network: '127.0.0.x' } }]);
    await signIn(gateway, other, account);
    await signIn(gateway, gateway.browser(), await newReachablePerson());
    expect(await findNotices(account)).toHaveLength(1);
  });

  it('is not notified if the other browsers were used too long ago', async () => {
    const account = await newReachablePerson();
    await signIn(gateway, gateway.browser(), account);
    gateway.clock.advanceSeconds(181 * DAY);
    await signIn(gateway, gateway.browser(), account);
    expect(await findNotices(account)).toEqual([]);
  });

  it('is notified once if two forms are sent at the same time', async () => {
    const account = await newReachablePerson();
    await signIn(gateway, gateway.browser(), account);
    const browser = gateway.browser();
    gateway.hydra.addLogin({ challenge: 'new-browser-twice', sessionId: 'new-browser-twice' });
    const { xsrf_token: _xsrf } = (await browser.get(`${PATHS.login}?login_challenge=new-browser-twice`)).state('login').login;
    const fields = { _xsrf, login_challenge: 'new-browser-twice', username: account.username, password: PASSWORD };
    await Promise.all([browser.post(PATHS.loginNative, fields), browser.post(PATHS.loginNative, fields)]);
    expect(await findNotices(account)).toHaveLength(1);
  });

  it('is notified ten times a day at most, and again on the next day', async () => {
    const account = await newReachablePerson();
    for (let browsers = 0; browsers < 12; browsers += 1) await signIn(gateway, gateway.browser(), account);
    expect(await findNotices(account)).toHaveLength(10);
    gateway.clock.advanceSeconds(DAY + 1);
    await signIn(gateway, gateway.browser(), account);
    expect(await findNotices(account)).toHaveLength(11);
  });

  it('ends with the link of the mail if it was that of another person', async () => {
    const account = await newReachablePerson();
    await signIn(gateway, gateway.browser(), account);
    await signIn(gateway, gateway.browser(), account);
    expect((await story.submit(await story.findToken(account, 'new-browser'))).location).toContain('success');
    const sessions = gateway.database.db.selectFrom('browser_session').selectAll().where('account_id', '=', account.id);
    expect(await sessions.execute()).toEqual([]);
  });

  it('is not announced where the installation turns it off', async () => {
    const quiet = await startTestGateway({
      config: ({ accounts }) => ({ accounts: { ...accounts, sendsNewBrowserMail: false } }),
    });
    try {
      const account = await newPerson(quiet, { email: 'quiet@example.org' });
      await signIn(quiet, quiet.browser(), account);
      await signIn(quiet, quiet.browser(), account);
      expect(await findNotices(account, new NotMeStory(quiet))).toEqual([]);
    } finally {
      await quiet.close();
    }
  });
});
