/** How people get into an app, in a real Chromium: their own sign-up, a code by mail, a new password on the way, and a provider for a domain. */
import { describe, expect, it } from '@jest/globals';
import { DIALECT_IDS, type DialectId, type DemoProviderClient } from '../../embedded/demo-providers/dialect.js';
import { startDemoProviders } from '../../embedded/demo-providers/start-demo-providers.js';
import { toDetailField } from '../../src/contract/registration-state.js';
import { buildCallbackUrl } from '../../src/providers/identity-providers.port.js';
import { Mailbox } from '../../test-kit/mailbox.js';
import { browserStage } from '../support/browser-stage.js';
import { callOperatorApi, findAccountId } from '../support/console-user.js';
import { inventPerson, startInstallation, type Installation, type Person } from '../support/installation.js';
import { scriptOnAndOff } from '../support/matrix.js';
import { ProviderUser } from '../support/provider-user.js';
import type { Leg, MissingLeg } from '../support/upstream-leg.js';
import { words } from '../support/words.js';

const TIMEOUT_MS = 180_000;
export const NEW_PASSWORD = 'Rabenschwarz 4711';
const PROVIDER = {
  id: 'company',
  name: 'Musterwerk',
  client_id: 'foyer.company',
  client_secret: 'a secret of Foyer at the company',
};
/** People at the provider, who have accounts here that are not connected, and whether they use script. */
const CONNECTING = [
  { javaScriptEnabled: true, name: 'Maria Musterfrau', email: 'maria@musterwerk.example' },
  { javaScriptEnabled: false, name: 'Nora Neumann', email: 'nora@beispielhaus.example' },
];

export const fill = ({ page }: ProviderUser, key: string, value: string) =>
  page.getByLabel(words(key), { exact: true }).fill(value);

export async function enterPassword(user: ProviderUser, { username, password }: Pick<Person, 'username' | 'password'>) {
  await fill(user, 'login.email', username);
  await fill(user, 'login.password', password);
  await user.button('login.submit').click();
}

export async function choosePassword(user: ProviderUser, submit: string) {
  await fill(user, 'new_password.new', NEW_PASSWORD);
  await fill(user, 'new_password.repeat', NEW_PASSWORD);
  await user.button(submit).click();
}

export async function enterDetails({ page }: ProviderUser, details: Readonly<Record<string, string>>) {
  for (const [name, value] of Object.entries(details)) await page.locator(`[name="${toDetailField(name)}"]`).fill(value);
}

/** Subject and button are keys of texts. */
interface MailedCode {
  mailboxUrl: string;
  email: string;
  subject: string;
  submit: string;
}

/** Enters the code of the next mail with this subject. */
export async function enterCode(user: ProviderUser, { mailboxUrl, email, subject, submit }: MailedCode) {
  const { text } = await new Mailbox(mailboxUrl).waitFor(email, { subject: words(subject) });
  await fill(user, 'factor.code', /\b\d{6}\b/.exec(text)?.[0] ?? '');
  await user.button(submit).click();
}

/** Runs the stories in front of a server, or prints the reason why it cannot. */
export function joinStoriesOn(leg: Leg | MissingLeg): void {
  if ('missing' in leg) {
    process.stderr.write(`SKIPPED: joining in a browser, in front of ${leg.name}: ${leg.missing}\n`);
    const group = describe['skip'];
    group(`joining in front of ${leg.name}`, () => {
      it('runs where the server is available', () => undefined);
    });
    return;
  }
  describe(`joining in a browser, in front of ${leg.name} ${leg.version}`, () => joinStories(() => startJoining(leg)));
}

/** Starts an installation with own sign-up, codes by mail, and a provider that has a domain. */
async function startJoining(leg: Leg): Promise<Installation> {
  let closeProvider = (): Promise<void> => Promise.resolve();
  const installation = await startInstallation(leg, async (gatewayUrl) => {
    const client = (id: DialectId): DemoProviderClient => ({
      id: `foyer.${id}`,
      redirectUris: [buildCallbackUrl(gatewayUrl, id)],
      secret: PROVIDER.client_secret,
    });
    const clients = Object.fromEntries(DIALECT_IDS.map((id) => [id, client(id)])) as Record<DialectId, DemoProviderClient>;
    const demoProviders = await startDemoProviders({ host: 'localhost', port: 0, clients });
    closeProvider = () => demoProviders.close();
    const provider = {
      ...PROVIDER,
      issuer: `${demoProviders.url}/company/`,
      domains: ['musterwerk.example', 'beispielhaus.example'],
    };
    return {
      CODE_SIGN_IN: 'on',
      CONNECT_OFFERS: PROVIDER.id,
      OIDC_PROVIDERS: JSON.stringify([{ ...provider, scopes: ['openid', 'profile', 'email'] }]),
      REGISTRATION: 'own',
      REGISTRATION_URL: '',
      REGISTRATION_JWKS_URL: '',
    };
  });
  const close = async () => void (await Promise.all([installation.close(), closeProvider()]));
  return { ...installation, close };
}

/** @param start a whole installation as `startJoining` starts it; called once */
function joinStories(start: () => Promise<Installation>): void {
  const stage = browserStage(start, TIMEOUT_MS);

  const openApp = async (path: string, javaScriptEnabled = true): Promise<ProviderUser> => {
    const user = await ProviderUser.create(stage.chromium, stage.installation.appUrl, javaScriptEnabled);
    await user.page.goto(`${user.appUrl}${path}`);
    return user;
  };

  const enterMailedCode = async (user: ProviderUser, code: Omit<MailedCode, 'mailboxUrl'>) => {
    await user.heading('factor.email_verify_heading').waitFor();
    await enterCode(user, { ...code, mailboxUrl: stage.installation.mailboxUrl });
  };

  it.each([
    ['the link of the app', true, (user: ProviderUser) => user.page.getByRole('link', { name: 'Create an account' })],
    ['the login page', false, (user: ProviderUser) => user.button('login.register')],
  ] as const)(
    '[JOI-1] [MCS-1] [GEN-9] from %s a new person gets to the app, and back later with a code by mail (script: %s)',
    async (from, javaScriptEnabled, findStart) => {
      const { username, email } = inventPerson();
      const user = await openApp(from === 'the login page' ? '/sign-in' : '', javaScriptEnabled);
      await findStart(user).click();
      await user.heading('sign_up.heading').waitFor();
      await enterDetails(user, { username, email, display_name: 'Nele Neumann' });
      await user.button('sign_up.submit').click();
      await enterMailedCode(user, { email, subject: 'mail.sign_up_code', submit: 'sign_up.confirm' });
      await user.heading('sign_up.password_heading').waitFor();
      await choosePassword(user, 'sign_up.create');
      expect(await user.readClaims()).toMatchObject({ amr: ['pwd'] });

      await user.page.goto(`${user.appUrl}/sign-in?prompt=login`);
      await user.page.getByRole('link', { name: words('login.by_code') }).click();
      await fill(user, 'password_request.username', username);
      await user.button('factor.email_send').click();
      await enterMailedCode(user, { email, subject: 'mail.sign_in_code', submit: 'login.submit' });
      expect(await user.readClaims()).toMatchObject({ amr: ['mail'] });
      await user.context.close();
    },
    TIMEOUT_MS,
  );

  it.each(scriptOnAndOff(true))(
    '[TSK-1] [GEN-9] a new password is chosen on the way to the app, once (script: %s)',
    async (javaScriptEnabled) => {
      const person = await stage.installation.newPerson();
      const path = `/accounts/${await findAccountId(stage.installation, person)}/require-password-change`;
      expect((await callOperatorApi(stage.installation, 'POST', path)).ok).toBe(true);
      const user = await openApp('/sign-in', javaScriptEnabled);
      await enterPassword(user, person);
      await user.heading('task.heading').waitFor();
      await choosePassword(user, 'task.submit');
      expect(await user.readClaims()).toMatchObject({ amr: ['pwd'] });

      await user.page.goto(`${user.appUrl}/sign-in?prompt=login`);
      await enterPassword(user, { ...person, password: NEW_PASSWORD });
      expect(await user.readClaims()).toMatchObject({ amr: ['pwd'] });
      await user.context.close();
    },
    TIMEOUT_MS,
  );

  it.each(CONNECTING.filter(({ javaScriptEnabled }) => scriptOnAndOff(false).includes(javaScriptEnabled)))(
    '[PRV-5] [PRV-7] [GEN-9] an address leads to the provider of its domain, which is connected on the way to the app (script: $javaScriptEnabled)',
    async ({ javaScriptEnabled, name, email }) => {
      const person = await stage.installation.newPerson({ email, email_verified: true });
      const user = await openApp('/sign-in', javaScriptEnabled);
      const enterAddress = async () => {
        await fill(user, 'login.email', email);
        await user.button('login.submit').click();
        await user.page.getByRole('heading', { name: `Sign in with ${PROVIDER.name}` }).waitFor();
        await user.choose(name);
      };
      await enterAddress();
      await user.page.getByText(words('login.connect').split('{{')[0] ?? '').waitFor();
      await enterPassword(user, person);
      expect(await user.readClaims()).toMatchObject({ amr: ['pwd'] });

      await user.page.goto(`${user.appUrl}/sign-in?prompt=login`);
      await enterAddress();
      expect(await user.readClaims()).toMatchObject({ amr: ['fed'] });
      await user.context.close();
    },
    TIMEOUT_MS,
  );
}
