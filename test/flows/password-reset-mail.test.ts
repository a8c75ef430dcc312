/** The mailed link through a real mail server: its address and recipient, and how its token is removed from the address. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import PostalMime from 'postal-mime';
import { PATHS } from '../../src/contract/paths.js';
import { PasswordResets } from '../../src/accounts/password/resets.js';
import { FactorResets } from '../../src/mfa/factor-resets.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { MailServer } from '../support/mail-server.js';
import { openMailModule } from '../support/modules.js';
import type { TestBrowser, TestPage } from '../support/test-browser.js';
import { newPerson } from '../support/manage.js';
import { SecondStepStory } from '../support/second-step.js';
import { NEW_PASSWORD, ResetStory } from '../support/resets.js';

let gateway: TestGateway;
let server: MailServer;
let delivery: INestApplicationContext;

beforeAll(async () => {
  server = await MailServer.start();
  const smtp = { host: 'localhost', port: server.port, encryption: 'none' as const };
  gateway = await startTestGateway({
    config: ({ mail }) => ({ mail: { ...mail, server: smtp } }),
  });
  delivery = await openMailModule(gateway);
});

afterAll(async () => {
  await gateway.close();
  await delivery.close();
  await server.stop();
});

describe('the mail with the link', () => {
  it('[PWR-3] [S-20] [S-22] contains the configured address whatever the request says, and has one recipient', async () => {
    await gateway.account('maria', { email: 'maria@example.org' });
    const forged = {
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'http',
      forwarded: 'host=evil.example',
      'x-host': 'evil.example',
      'x-original-host': 'evil.example',
    };
    const browser = gateway.browser({ ...forged, 'accept-language': 'en' });
    const story = new ResetStory(gateway);
    expect((await story.ask('maria\r\nBcc: evil@evil.example', browser)).status).toBe(303);
    const arrived = server.next();
    expect((await story.ask('maria', browser)).status).toBe(303);
    const { recipients, source } = await arrived;
    expect(recipients).toEqual(['maria@example.org']);
    const { text = '', html = '', subject, headers } = await PostalMime.parse(source);
    const [link = ''] = /https?:\S+reset_token=\S+/.exec(text) ?? [];
    expect(link.replace(/[\w-]{43}$/, '…')).toBe(`${gateway.config.publicUrl}${PATHS.passwordResetForm}?reset_token=…`);
    expect(html).toContain(`href="${link}"`);
    expect([subject, source]).toEqual(['Set a new password', expect.not.stringContaining('evil')]);
    expect(headers.map(({ key }) => key)).not.toContain('bcc');
    const { search } = new URL(link);
    const opener = gateway.browser();
    expect((await opener.get(PATHS.passwordResetForm + search)).location).toBe(PATHS.passwordResetForm);
    expect((await opener.get(PATHS.passwordResetForm)).status).toBe(200);
    expect(server.taken).toHaveLength(1);
  });
});

describe('a link whose token was removed from the address', () => {
  const BY = { actor: 'operator' } as const;
  const linkFor = async () => (await gateway.get(PasswordResets).issue(await newPerson(gateway), BY)).secret;
  const toCookie = (page: TestPage) => page.setCookies.find(({ name }) => name === 'foyer-password-link');
  const form = async (browser: TestBrowser) => (await browser.get(PATHS.passwordResetForm)).state('password_reset_form');
  const end = `${PATHS.passwordResetStatus}?status=`;

  it('[PWR-3] [PWR-4] is kept in a cookie of this browser for half an hour, and has to be opened again in any other', async () => {
    const token = await linkFor();
    const [here, there] = [gateway.browser(), gateway.browser()];
    const opened = await here.get(`${PATHS.passwordResetForm}?reset_token=${token}`);
    const attributes = { value: token, httpOnly: true, sameSite: 'Lax', path: '/', maxAgeSeconds: 1800 };
    expect(toCookie(opened)).toMatchObject(attributes);
    expect((await form(here)).password_reset_form.reset_token).toBe(token);
    expect(JSON.stringify((await form(here)).app)).not.toContain(token);
    expect((await there.get(PATHS.passwordResetForm)).location).toBe(`${end}error-token`);
    await there.get(`${PATHS.passwordResetForm}?reset_token=${token}`);
    expect((await form(there)).password_reset_form.reset_token).toBe(token);
  });

  it('[PWR-5] survives a mistake, at an address without the token, and ends with the reset', async () => {
    const token = await linkFor();
    const { browser, fields } = await new ResetStory(gateway).openForm(token);
    const mistaken = await browser.post(PATHS.passwordReset, { ...fields, password_repeat: 'x' });
    expect(toCookie(mistaken)?.value).toBe(token);
    expect(JSON.stringify(mistaken.state('password_reset_form').app)).not.toContain(token);
    expect((await browser.get(PATHS.passwordReset)).state('password_reset_form').password_reset_form.reset_token).toBe(token);
    const done = await browser.post(PATHS.passwordReset, { ...fields, password: NEW_PASSWORD });
    expect([done.location, toCookie(done)]).toEqual([`${end}success`, expect.objectContaining({ value: '', maxAgeSeconds: 0 })]);
    expect((await browser.get(PATHS.passwordResetForm)).location).toBe(`${end}error-token`);
  });

  it('[FAR-1] is separate for the factors: neither replaces the other', async () => {
    const token = await linkFor();
    const { account } = await new SecondStepStory(gateway).createPerson();
    const { secret } = await gateway.get(FactorResets).issue(account, BY);
    const browser = gateway.browser();
    await browser.get(`${PATHS.passwordResetForm}?reset_token=${token}`);
    await browser.get(`${PATHS.mfaResetForm}?reset_token=${secret}`);
    expect((await browser.get(PATHS.mfaResetForm)).state('mfa_reset_form').mfa_reset_form.reset_token).toBe(secret);
    expect((await form(browser)).password_reset_form.reset_token).toBe(token);
  });
});
