/** An operator in the console of a running installation, in a real Chromium. */
import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { SystemClock } from '../../src/config/clock.js';
import { TotpApp } from '../../test-kit/totp-app.js';
import type { BrowserStage } from './browser-stage.js';
import { OPERATOR_TOKEN, type Installation, type Person } from './installation.js';
import { words } from './words.js';

const STEP_MS = 60_000;
const PHRASES = JSON.parse(readFileSync(new URL('../../locales/console/en.json', import.meta.url), 'utf8')) as Record<
  string,
  string
>;

/** @returns a text of the console, with its values filled in and without its markup */
export function say(key: string, values: Record<string, string> = {}): string {
  const text = PHRASES[key];
  if (text === undefined) throw new Error(`No phrase ${key}`);
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '');
}

/** Calls the operator API with the token of the installation. */
export const callOperatorApi = ({ operatorUrl }: Installation, method: string, path: string, body?: object): Promise<Response> =>
  fetch(`${operatorUrl}/operator/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${OPERATOR_TOKEN}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

export async function findAccountId(installation: Installation, { username }: Person): Promise<string> {
  const answer = await callOperatorApi(installation, 'GET', `/accounts?username=${username}`);
  const { accounts } = (await answer.json()) as { accounts: { id: string }[] };
  return accounts[0]?.id ?? '';
}

export class ConsoleUser {
  /** What the page reported as an error, or as a breach of its content policy. */
  readonly faults: string[] = [];

  private constructor(
    private readonly installation: Installation,
    readonly person: Person,
    readonly accountId: string,
    readonly page: Page,
  ) {
    // Nothing in the stories takes longer, however busy the machine is; a step that never comes ends before its test.
    page.setDefaultTimeout(STEP_MS);
    page.on('pageerror', ({ message }) => this.faults.push(message));
    page.on('console', (message) => {
      if (/Content.Security.Policy/i.test(message.text())) this.faults.push(message.text());
    });
  }

  /** Creates a person with this right and opens a browser for them. */
  static async create({ installation, chromium }: BrowserStage<Installation>, right: string): Promise<ConsoleUser> {
    const person = await installation.newPerson();
    const id = await findAccountId(installation, person);
    await callOperatorApi(installation, 'POST', `/accounts/${id}/operator-rights`, { right });
    const context = await chromium.newContext({ locale: 'en-GB' });
    return new ConsoleUser(installation, person, id, await context.newPage());
  }

  open = (path: string): Promise<unknown> => this.page.goto(`${this.installation.operatorUrl}${path}`);

  button = (key: string, within: Page | Locator = this.page): Locator =>
    within.getByRole('button', { name: say(key), exact: true });

  /** Opens a page of the console, signs in through Foyer, and sets a second factor up on the way. */
  async signIn(path: string): Promise<void> {
    const { page, person } = this;
    await this.open(path);
    await page.getByRole('link', { name: say('sign_in.go'), exact: true }).click();
    await page.getByLabel(words('login.username'), { exact: true }).fill(person.username);
    await page.getByLabel(words('login.password'), { exact: true }).fill(person.password);
    await page.getByRole('button', { name: words('login.submit'), exact: true }).click();
    await page.getByRole('link', { name: words('factor.totp_heading') }).click();
    const secret = await page.locator('.secret').innerText();
    const app = new TotpApp(secret.replaceAll(/\s/g, ''), new SystemClock());
    await page.getByLabel(words('factor.code'), { exact: true }).fill(app.code());
    await page.getByRole('button', { name: words('factor.activate'), exact: true }).click();
    await page.getByRole('button', { name: words('factor.codes_kept') }).click();
    await page.waitForURL(`${this.installation.operatorUrl}${path}`);
  }
}
