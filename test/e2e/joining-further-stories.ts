/**
 * Everything that may have to be done on the way to an app, in a real Chromium: in an installation that has turned it on, for people who
 * had an account before, who were invited, and who needed an approval.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { SystemClock } from '../../src/config/clock.js';
import { INVITATION_PATH } from '../../src/contract/registration-state.js';
import { Mailbox } from '../../test-kit/mailbox.js';
import { TotpApp } from '../../test-kit/totp-app.js';
import { browserStage } from '../support/browser-stage.js';
import { callOperatorApi } from '../support/console-user.js';
import { inventPerson, startInstallation, type Installation, type Person } from '../support/installation.js';
import { MailedLinks } from '../support/mailed-links.js';
import { scriptOnAndOff } from '../support/matrix.js';
import { ProviderUser } from '../support/provider-user.js';
import type { Leg } from '../support/upstream-leg.js';
import { words } from '../support/words.js';
import { NEW_PASSWORD, choosePassword, enterCode, enterDetails, enterPassword, fill } from './joining-stories.js';

const TIMEOUT_MS = 180_000;
const CUSTOMER = '4711';
const TERMS_TITLE = 'Terms of the portal';

interface JoiningInstallation extends Installation {
  /** People with an account that is older than the settings, who have not proven their address. */
  members: readonly { person: Person; javaScriptEnabled: boolean }[];
}

/** @param leg the server in front of which the stories run */
export function joinFurtherStoriesOn(leg: Leg): void {
  describe(`what is on the way to an app, in front of ${leg.name} ${leg.version}`, () => {
    joinFurtherStories(() => startJoining(leg));
  });
}

/** Starts an installation, creates people, and turns on everything that may be on the way to an app. */
async function startJoining(leg: Leg): Promise<JoiningInstallation> {
  const folder = mkdtempSync(join(tmpdir(), 'foyer-terms-'));
  const installation = await startInstallation(leg);
  const close = async () => {
    await installation.close();
    rmSync(folder, { recursive: true });
  };
  try {
    const members = await Promise.all(
      scriptOnAndOff(true).map(async (javaScriptEnabled) => {
        return { javaScriptEnabled, person: await installation.newPerson({ email_verified: false }) };
      }),
    );
    const file = join(folder, 'terms-en.txt');
    writeFileSync(file, `${TERMS_TITLE}\n\nKeep your password to yourself.\n`);
    await installation.restart?.({
      ACCOUNT_SCHEMA: JSON.stringify({
        properties: { customer: { type: 'integer', title: 'Customer number' } },
        required: ['customer'],
      }),
      EMAIL_PROOF: 'required',
      LOGIN_WITH: 'username,email',
      MFA_POLICY: 'required',
      MFA_REQUIRED_FROM: '2100-01-01',
      MISSING_FIELDS: 'ask',
      REGISTRATION: 'own-with-approval',
      REGISTRATION_URL: '',
      REGISTRATION_JWKS_URL: '',
      TERMS: JSON.stringify([{ id: 'use', version: '1', files: { en: file }, later_until: '2100-01-01' }]),
    });
    return { ...installation, members, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** @param start an installation as `startJoining` starts it; called once */
function joinFurtherStories(start: () => Promise<JoiningInstallation>): void {
  const stage = browserStage(start, TIMEOUT_MS);

  const openUser = (javaScriptEnabled: boolean): Promise<ProviderUser> =>
    ProviderUser.create(stage.chromium, stage.installation.appUrl, javaScriptEnabled);

  const signIn = async (user: ProviderUser, person: Pick<Person, 'username' | 'password'>) => {
    await user.page.goto(`${user.appUrl}/sign-in?prompt=login`);
    await enterPassword(user, person);
  };

  const postpone = async (user: ProviderUser, heading: string) => {
    await user.heading(heading).waitFor();
    await user.button('later.submit').click();
  };

  const acceptTerms = async (user: ProviderUser) => {
    await user.heading('task.terms_heading').waitFor();
    await user.page.getByText(TERMS_TITLE, { exact: true }).first().waitFor();
    await user.page.getByLabel(words('task.terms_check'), { exact: true }).check();
    await user.button('task.terms_accept').click();
  };

  const setUpFactor = async (user: ProviderUser, javaScriptEnabled: boolean): Promise<TotpApp> => {
    await user.heading('mfa.heading_enrol').waitFor();
    await user.page.getByRole('link', { name: words('factor.totp_heading') }).click();
    if (!javaScriptEnabled) await user.button('factor.totp_show').click();
    const secret = await user.page.locator('.secret').innerText();
    const app = new TotpApp(secret.replaceAll(/\s/g, ''), new SystemClock());
    await fill(user, 'factor.code', app.code());
    await user.button('factor.activate').click();
    await user.button('factor.codes_kept').click();
    return app;
  };

  const callOperator = async (method: string, path: string, body?: object): Promise<unknown> => {
    const answer = await callOperatorApi(stage.installation, method, path, body);
    expect([path, answer.ok]).toEqual([path, true]);
    return answer.json();
  };

  it.each(scriptOnAndOff(true))(
    '[TSK-12] [TSK-13] [TSK-30] [TSK-33] [TSK-34] [GEN-9] who has an account does what is new on the way to the app, each once (script: %s)',
    async (javaScriptEnabled) => {
      const { members, mailboxUrl } = stage.installation;
      const person = members.find((member) => member.javaScriptEnabled === javaScriptEnabled)?.person ?? inventPerson();
      const user = await openUser(javaScriptEnabled);
      await signIn(user, person);
      await postpone(user, 'mfa.heading_enrol');
      await postpone(user, 'task.terms_heading');
      await user.heading('task.email_heading').waitFor();
      await user.button('factor.email_send').click();
      await enterCode(user, { mailboxUrl, email: person.email, subject: 'mail.email_change_code', submit: 'sign_up.confirm' });
      await user.heading('task.fields_heading').waitFor();
      await enterDetails(user, { customer: CUSTOMER });
      await user.button('task.submit').click();
      expect(await user.readClaims()).toMatchObject({ amr: ['pwd'] });

      await signIn(user, person);
      const app = await setUpFactor(user, javaScriptEnabled);
      await acceptTerms(user);
      expect(await user.readClaims()).toMatchObject({ amr: ['pwd', 'otp', 'mfa'] });

      await signIn(user, person);
      await fill(user, 'factor.code', app.code(1));
      await user.button('mfa.confirm').click();
      expect(await user.readClaims()).toMatchObject({ amr: ['pwd', 'otp', 'mfa'] });
      await user.context.close();
    },
    TIMEOUT_MS,
  );

  it.each(scriptOnAndOff(false))(
    '[JOI-20] [JOI-21] [GEN-9] who is approved gets to the app with the link in the mail (script: %s)',
    async (javaScriptEnabled) => {
      const { email } = inventPerson();
      const { mailboxUrl } = stage.installation;
      const user = await openUser(javaScriptEnabled);
      await user.page.goto(`${user.appUrl}/sign-in`);
      await user.button('login.register').click();
      await user.heading('sign_up.heading').waitFor();
      await enterDetails(user, { email, display_name: 'Nele Neumann', customer: CUSTOMER });
      await user.button('sign_up.submit').click();
      await enterCode(user, { mailboxUrl, email, subject: 'mail.sign_up_code', submit: 'sign_up.confirm' });
      await choosePassword(user, 'sign_up.send');
      await user.heading('sign_up.waits').waitFor();

      const { sign_ups: waiting } = (await callOperator('GET', '/sign-ups')) as { sign_ups: { id: string; email: string }[] };
      const application = waiting.find((one) => one.email === email);
      await callOperator('POST', `/sign-ups/${application?.id}/approve`, {});
      const [, isReady = ''] = words('mail.sign_up_approved').split('{{app}}');
      const { links } = await new Mailbox(mailboxUrl).waitFor(email, { subject: isReady });
      await user.page.goto(links.find((link) => link.startsWith(user.appUrl)) ?? '');
      await user.page.locator('a[href="/sign-in"]').first().click();
      await enterPassword(user, { username: email, password: NEW_PASSWORD });
      await postpone(user, 'mfa.heading_enrol');
      await acceptTerms(user);
      expect(await user.readClaims()).toMatchObject({ amr: ['pwd'] });
      await user.context.close();
    },
    TIMEOUT_MS,
  );

  it.each(scriptOnAndOff(true))(
    '[INV-1] [GEN-9] who is invited gets to the app with the link in the mail (script: %s)',
    async (javaScriptEnabled) => {
      const { email } = inventPerson();
      await callOperator('POST', '/invitations', { email, client: 'beispielportal', inviter: 'Ina Immergrün' });
      const user = await openUser(javaScriptEnabled);
      await user.page.goto(await new MailedLinks(stage.installation.mailboxUrl, email).next(INVITATION_PATH));
      await user.heading('sign_up.heading').waitFor();
      await user.page.getByText('Ina Immergrün').waitFor();
      await enterDetails(user, { display_name: 'Nele Neumann', customer: CUSTOMER });
      await choosePassword(user, 'sign_up.create');
      await user.heading('registration.done').waitFor();
      await user.page.getByRole('link', { name: words('invitation.go').replace('{{name}}', 'Beispielportal') }).click();
      await user.page.locator('a[href="/sign-in"]').first().click();
      await enterPassword(user, { username: email, password: NEW_PASSWORD });
      await postpone(user, 'mfa.heading_enrol');
      await acceptTerms(user);
      expect(await user.readClaims()).toMatchObject({ amr: ['pwd'] });
      await user.context.close();
    },
    TIMEOUT_MS,
  );
}
