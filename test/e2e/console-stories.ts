/** An operator in the console, in a real Chromium, in front of the built product and its upstream. */
import { readFileSync } from 'node:fs';
import { beforeAll, expect, it } from '@jest/globals';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { SystemClock } from '../../src/config/clock.js';
import { TotpApp } from '../../test-kit/totp-app.js';
import { browserStage } from '../support/browser-stage.js';
import { OPERATOR_TOKEN, type Installation, type Person } from '../support/installation.js';
import { words } from '../support/words.js';

const PATIENCE_MS = 180_000;
const STEP_MS = 60_000;
const PHRASES = JSON.parse(readFileSync(new URL('../../locales/console/en.json', import.meta.url), 'utf8')) as Record<
  string,
  string
>;
const REASON = 'She called, and I called back';

/** @returns a text of the console, with its values filled in */
function say(key: string, values: Record<string, string> = {}): string {
  const text = PHRASES[key];
  if (text === undefined) throw new Error(`No phrase ${key}`);
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '');
}

/** @param start called once */
export function consoleStories(start: () => Promise<Installation>): void {
  const stage = browserStage(start, PATIENCE_MS);
  let context: BrowserContext;
  let page: Page;
  let operator: Person;
  let operatorId = '';
  let person: Person;
  const faults: string[] = [];

  const api = (method: string, path: string, body?: object): Promise<Response> =>
    fetch(`${stage.installation.operatorUrl}/operator/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${OPERATOR_TOKEN}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

  const findId = async ({ username }: Person): Promise<string> => {
    const { accounts } = (await (await api('GET', `/accounts?username=${username}`)).json()) as { accounts: { id: string }[] };
    return accounts[0]?.id ?? '';
  };

  const open = (path: string): Promise<unknown> => page.goto(`${stage.installation.operatorUrl}${path}`);
  const button = (key: string, within: Page | Locator = page): Locator =>
    within.getByRole('button', { name: say(key), exact: true });

  beforeAll(async () => {
    operator = await stage.installation.newPerson();
    person = await stage.installation.newPerson();
    operatorId = await findId(operator);
    await api('POST', `/accounts/${operatorId}/operator-rights`, { right: 'support' });
    context = await stage.chromium.newContext({ locale: 'en-GB' });
    page = await context.newPage();
    // Nothing in these stories takes longer, however busy the machine is; a step that never comes ends before its test.
    page.setDefaultTimeout(STEP_MS);
    page.on('pageerror', ({ message }) => faults.push(message));
    page.on('console', (message) => {
      if (/Content.Security.Policy/i.test(message.text())) faults.push(message.text());
    });
  }, PATIENCE_MS);

  const signIn = async (): Promise<void> => {
    await page.getByLabel(words('login.username'), { exact: true }).fill(operator.username);
    await page.getByLabel(words('login.password'), { exact: true }).fill(operator.password);
    await page.getByRole('button', { name: words('login.submit'), exact: true }).click();
  };

  it(
    'signs in through Foyer, sets up a second factor on the way, and arrives at the page that was asked for',
    async () => {
      await open('/console/people?search=nobody');
      await page.getByRole('link', { name: say('sign_in.go'), exact: true }).click();
      await signIn();
      await page.getByRole('link', { name: words('factor.totp_heading') }).click();
      const secret = await page.locator('.secret').innerText();
      const app = new TotpApp(secret.replaceAll(/\s/g, ''), new SystemClock());
      await page.getByLabel(words('factor.code'), { exact: true }).fill(app.code());
      await page.getByRole('button', { name: words('factor.activate'), exact: true }).click();
      await page.getByRole('button', { name: words('factor.codes_kept') }).click();
      await page.getByText(say('people.none_found')).waitFor();
      expect(page.url()).toBe(`${stage.installation.operatorUrl}/console/people?search=nobody`);
    },
    PATIENCE_MS,
  );

  it(
    'finds a person by an address, and sees no action that only an admin may do',
    async () => {
      await page.getByRole('searchbox', { name: say('search.label') }).fill(person.email.toUpperCase());
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'Maria Musterfrau' }).waitFor();
      await button('action.disable').waitFor();
      expect(await button('action.factor_reset').count()).toBe(0);
      expect(await button('action.delete').count()).toBe(0);
    },
    PATIENCE_MS,
  );

  it(
    'disables the account with a reason, which the audit log has with the name of the operator, and enables nothing without a right',
    async () => {
      await button('action.disable').click();
      const dialog = page.getByRole('dialog');
      await button('action.disable_confirm', dialog).click();
      await dialog.getByText(say('dialog.reason_missing')).waitFor();
      await dialog.getByLabel(say('dialog.reason'), { exact: true }).fill(REASON);
      await button('action.disable_confirm', dialog).click();
      await page
        .getByText(say('action.disable_done', { name: 'Maria Musterfrau' }))
        .first()
        .waitFor();
      const { entries } = (await (await api('GET', `/accounts/${await findId(person)}/audit?kind=account.disabled`)).json()) as {
        entries: object[];
      };
      expect(entries).toMatchObject([
        { actor: `operator:${operator.username}`, detail: { reason: REASON, operatorAccount: operatorId } },
      ]);
    },
    PATIENCE_MS,
  );

  it(
    'is signed out at once when the right is taken away, without losing the page',
    async () => {
      await open(`/console/people/${await findId(person)}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await api('DELETE', `/accounts/${operatorId}/operator-rights/support`);
      await page.getByRole('link', { name: say('nav.activity'), exact: true }).click();
      await page.getByText(say('proof.sign_in_title')).waitFor();
      await api('POST', `/accounts/${operatorId}/operator-rights`, { right: 'support' });
    },
    PATIENCE_MS,
  );

  it(
    'signs out, and the page that was open shows nothing more',
    async () => {
      await open('/console/people');
      await page.getByRole('table').getByText(operator.username, { exact: true }).waitFor();
      await page.getByRole('button', { name: say('menu.open') }).click();
      await page.getByText(say('menu.sign_out'), { exact: true }).click();
      await page.getByRole('heading', { name: say('signed_out.title') }).waitFor();
      await page.goBack();
      await page.getByText(say('sign_in.title')).first().waitFor();
      expect(await page.getByText(operator.username, { exact: true }).count()).toBe(0);
      expect(faults).toEqual([]);
    },
    PATIENCE_MS,
  );
}
