/** Somebody calls the help desk: the check of who is calling, from both sides, each in a Chromium of their own. */
import { beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { PATHS } from '../../src/contract/paths.js';
import { Mailbox } from '../../test-kit/mailbox.js';
import { browserStage } from '../support/browser-stage.js';
import { ConsoleUser, callOperatorApi, findAccountId, say } from '../support/console-user.js';
import type { Installation, Person } from '../support/installation.js';
import { MailedLinks } from '../support/mailed-links.js';
import { words } from '../support/words.js';

const TIMEOUT_MS = 180_000;
const REASON = 'Call 4711: has a new address';

const heading = (page: Page, key: string) => page.getByRole('heading', { level: 1, name: words(key) }).waitFor();
const press = (page: Page, key: string) => page.getByRole('button', { name: words(key), exact: true }).click();
const fill = (page: Page, key: string, value: string) => page.getByLabel(words(key), { exact: true }).fill(value);
const readWords = (page: Page) => page.locator('.spoken').innerText();

/** @param start an installation with SUPPORT_CHECK; called once */
export function supportCheckStories(start: () => Promise<Installation>): void {
  const stage = browserStage(start, TIMEOUT_MS);
  let operator: ConsoleUser;

  const toBrowser = async (javaScriptEnabled: boolean): Promise<Page> =>
    (await stage.chromium.newContext({ locale: 'en-GB', javaScriptEnabled })).newPage();

  const lastDialog = () => operator.page.getByRole('dialog').last();

  /** Fills in the reason of the dialog in front, and sends it. */
  const confirm = async (): Promise<void> => {
    await lastDialog().locator('[name=reason]').fill(REASON);
    await lastDialog().locator('[type=submit]').click();
  };

  const compare = async (text: string): Promise<void> => {
    await lastDialog().locator('[name=words]').fill(text);
    await operator.button('check.compare', lastDialog()).click();
  };

  const openPerson = async (person: Person): Promise<void> => {
    await operator.open(`/console/people/${await findAccountId(stage.installation, person)}`);
    await operator.button('action.change').waitFor();
  };

  /** Opens the dialog for a change, and fills another address in. */
  const enterAddress = async (address: string): Promise<void> => {
    await operator.button('action.change').click();
    await lastDialog().getByLabel(say('change.email'), { exact: true }).fill(address);
  };

  const readAccount = async (person: Person): Promise<unknown> =>
    (await callOperatorApi(stage.installation, 'GET', `/accounts/${await findAccountId(stage.installation, person)}`)).json();

  async function openSettings(page: Page, { username, password }: Person): Promise<void> {
    await page.goto(`${stage.installation.appUrl}/sign-in?prompt=login`);
    await fill(page, 'login.username', username);
    await fill(page, 'login.password', password);
    await press(page, 'login.submit');
    await press(page, 'consent.allow');
    await page.getByRole('heading', { level: 1, name: 'You are signed in' }).waitFor();
    await page.goto(stage.installation.appUrl);
    await page.getByRole('link', { name: 'Manage your sign-in' }).click();
    await heading(page, 'settings.settings');
  }

  beforeAll(async () => {
    operator = await ConsoleUser.create(stage, 'admin');
    await operator.signIn('/console/people');
  }, TIMEOUT_MS);

  it(
    'a person who is signed in reads the words from the account area, and sees afterwards what was done',
    async () => {
      const [person, page] = [await stage.installation.newPerson(), await toBrowser(true)];
      await openSettings(page, person);
      await openPerson(person);
      await operator.button('action.support_check').click();
      await confirm();
      await lastDialog().locator('[name=words]').waitFor();
      await page.reload();
      await page.getByText(words('support_check.text')).waitFor();
      await compare(await readWords(page));
      await operator.page
        .getByText(say('check.passed', { name: 'Maria Musterfrau' }))
        .first()
        .waitFor();

      await enterAddress(`new.${person.email}`);
      await confirm();
      await lastDialog().waitFor({ state: 'detached' });
      await page.goto(stage.installation.gatewayUrl + PATHS.manage);
      await page.getByText(`new.${person.email}`).waitFor();
      expect(await page.locator('.spoken').count()).toBe(0);
      await page.context().close();
    },
    TIMEOUT_MS,
  );

  it(
    'a person who cannot sign in reads them from a page after a mailed code, without script, and a wrong answer changes nothing',
    async () => {
      const [person, page] = [await stage.installation.newPerson(), await toBrowser(false)];
      await openPerson(person);
      await enterAddress(`new.${person.email}`);
      await lastDialog().locator('[data-action="begin-check"]').click();
      await confirm();
      await lastDialog().locator('[name=words]').waitFor();

      await page.goto(stage.installation.gatewayUrl + PATHS.support);
      await fill(page, 'password_request.username', person.username);
      await press(page, 'factor.email_send');
      const { text, links } = await new Mailbox(stage.installation.mailboxUrl).waitFor(person.email);
      expect(links.filter((link) => new URL(link).search !== '')).toEqual([]);
      await fill(page, 'factor.code', /\b\d{6}\b/.exec(text)?.[0] ?? '');
      await press(page, 'support.confirm');
      const spoken = await readWords(page);
      await compare('lantern river lantern');
      await lastDialog()
        .getByText(say('check.wrong_other', { count: '2' }))
        .waitFor();
      expect(await readAccount(person)).toMatchObject({ email: person.email });
      await compare(spoken.toUpperCase());
      await lastDialog().getByText('You have checked who is calling.').waitFor();
      await confirm();
      await lastDialog().waitFor({ state: 'detached' });
      expect(await readAccount(person)).toMatchObject({ email: `new.${person.email}` });
      await page.reload();
      expect(await page.locator('.spoken').count()).toBe(0);
      await page.context().close();
    },
    TIMEOUT_MS,
  );

  it(
    'without a check the change waits, and the person stops it with the link of a mail, without script',
    async () => {
      const [person, page] = [await stage.installation.newPerson(), await toBrowser(false)];
      const mailed = new MailedLinks(stage.installation.mailboxUrl, person.email);
      await openPerson(person);
      await enterAddress(`thief.${person.email}`);
      await confirm();
      await operator.page.getByRole('link', { name: say('approvals.held_link'), exact: true }).click();
      await operator.page.getByText(say('approvals.not_you_asked')).waitFor();
      expect(await operator.button('approvals.approve').count()).toBe(0);

      await page.goto(await mailed.next(PATHS.stopChange));
      await heading(page, 'stop_change.heading');
      await page.getByText(`thief.${person.email}`).waitFor();
      await press(page, 'stop_change.submit');
      await heading(page, 'stop_change.stopped');
      await operator.page.reload();
      await operator.page.getByText(say('approvals.stopped'), { exact: true }).first().waitFor();
      expect(await readAccount(person)).toMatchObject({ email: person.email });
      expect(operator.faults).toEqual([]);
      await page.context().close();
    },
    TIMEOUT_MS,
  );
}
