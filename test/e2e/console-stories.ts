/** An operator in the console, in a real Chromium, in front of the built product and its upstream. */
import { beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { browserStage } from '../support/browser-stage.js';
import { settle } from '../support/console-scenes.js';
import { ConsoleUser, callOperatorApi, findAccountId, say } from '../support/console-user.js';
import type { Installation, Person } from '../support/installation.js';

const TIMEOUT_MS = 180_000;
const REASON = 'She called, and I called back';

/** @param start called once */
export function consoleStories(start: () => Promise<Installation>): void {
  const stage = browserStage(start, TIMEOUT_MS);
  let operator: ConsoleUser;
  let page: Page;
  let person: Person;

  const api = (method: string, path: string, body?: object): Promise<Response> =>
    callOperatorApi(stage.installation, method, path, body);

  beforeAll(async () => {
    operator = await ConsoleUser.create(stage, 'support');
    page = operator.page;
    person = await stage.installation.newPerson();
  }, TIMEOUT_MS);

  it(
    'signs in through Foyer, sets up a second factor on the way, and arrives at the page that was asked for',
    async () => {
      await operator.signIn('/console/people?search=nobody');
      await page.getByText(say('people.none_found')).waitFor();
      expect(page.url()).toBe(`${stage.installation.operatorUrl}/console/people?search=nobody`);
    },
    TIMEOUT_MS,
  );

  it(
    'finds a person by an address, and sees no action that only an admin may do',
    async () => {
      await page.getByRole('combobox', { name: say('search.label') }).fill(person.email.toUpperCase());
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'Maria Musterfrau' }).waitFor();
      await operator.button('action.disable').waitFor();
      expect(await operator.button('action.factor_reset').count()).toBe(0);
      expect(await operator.button('action.delete').count()).toBe(0);
    },
    TIMEOUT_MS,
  );

  it(
    'disables the account with a reason, which the audit log has with the name of the operator, and enables nothing without a right',
    async () => {
      await operator.button('action.disable').click();
      const dialog = page.getByRole('dialog');
      await operator.button('action.disable_confirm', dialog).click();
      await dialog.getByText(say('dialog.reason_missing')).waitFor();
      await dialog.getByLabel(say('dialog.reason'), { exact: true }).fill(REASON);
      await operator.button('action.disable_confirm', dialog).click();
      await page
        .getByText(say('action.disable_done', { name: 'Maria Musterfrau' }))
        .first()
        .waitFor();
      const { entries } = (await (
        await api('GET', `/accounts/${await findAccountId(stage.installation, person)}/audit?kind=account.disabled`)
      ).json()) as {
        entries: object[];
      };
      expect(entries).toMatchObject([
        { actor: `operator:${operator.person.username}`, detail: { reason: REASON, operatorAccount: operator.accountId } },
      ]);
    },
    TIMEOUT_MS,
  );

  it(
    'is signed out at once when the right is taken away, without losing the page',
    async () => {
      await operator.open(`/console/people/${await findAccountId(stage.installation, person)}`);
      // A part of the page that loads later would ask to sign in before the link below is clicked.
      await settle(page);
      await api('DELETE', `/accounts/${operator.accountId}/operator-rights/support`);
      await page.getByRole('link', { name: say('nav.activity'), exact: true }).click();
      await page.getByText(say('proof.sign_in_title')).waitFor();
      await api('POST', `/accounts/${operator.accountId}/operator-rights`, { right: 'support' });
    },
    TIMEOUT_MS,
  );

  it(
    'signs out, and the page that was open shows nothing more',
    async () => {
      await operator.open('/console/people');
      await page.getByRole('table').getByText(operator.person.username, { exact: true }).waitFor();
      await page.getByRole('button', { name: say('menu.open') }).click();
      await page.getByText(say('menu.sign_out'), { exact: true }).click();
      await page.getByRole('heading', { name: say('signed_out.title') }).waitFor();
      await page.goBack();
      await page.getByText(say('sign_in.title')).first().waitFor();
      expect(await page.getByText(operator.person.username, { exact: true }).count()).toBe(0);
      expect(operator.faults).toEqual([]);
    },
    TIMEOUT_MS,
  );
}
