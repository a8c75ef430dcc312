/** A language that an installation adds as a file: pages, account area and mails use it without any other change. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import PostalMime from 'postal-mime';
import { PHRASES } from '../../locales/phrases.js';
import { loadConfig } from '../../src/config/load-config.js';
import { PATHS } from '../../src/contract/paths.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { MailServer } from '../support/mail-server.js';
import { ManageUser, newPerson, signIn } from '../support/manage.js';
import { ResetStory } from '../support/resets.js';
import { openMailModule } from '../support/modules.js';

let gateway: TestGateway;
let server: MailServer;
let delivery: INestApplicationContext;
let folder: string;

const FOOTER = {
  imprint: { de: 'https://example.org/impressum', he: 'https://example.org/odot?a=1&b=2' },
  terms: { de: 'https://example.org/agb' },
};

/** English instead of a translation, with a mark that shows where each phrase comes from. */
function hebrew(): Record<string, string> {
  const { 'language.name': _name, 'language.dates': _dates, ...en } = PHRASES.en;
  const marked = Object.entries(en).map(([key, text]) => [key, `א ${text}`] as const);
  const dual = marked
    .filter(([key]) => key.endsWith('_other'))
    .map(([key, text]) => [key.replace(/other$/, 'two'), text] as const);
  const forms = dual.filter(([key]) => Object.hasOwn(en, key.replace(/two$/, 'one')));
  return Object.fromEntries([...marked, ...forms]);
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'languages-'));
  writeFileSync(join(folder, 'he.json'), JSON.stringify(hebrew()));
  writeFileSync(join(folder, 'de.json'), JSON.stringify({ 'login.submit': 'Hinein' }));
  const { language, app } = loadConfig({ LOCALES_DIR: folder, FOOTER_LINKS: JSON.stringify(FOOTER) }).config;
  server = await MailServer.start();
  const smtp = { host: 'localhost', port: server.port, encryption: 'none' as const };
  gateway = await startTestGateway({
    config: ({ mail, ...config }) => ({
      language,
      app: { ...config.app, footer: app.footer },
      mail: { ...mail, server: smtp },
    }),
  });
  delivery = await openMailModule(gateway);
});

afterAll(async () => {
  await gateway.close();
  await delivery.close();
  await server.stop();
  rmSync(folder, { recursive: true });
});

describe('a language of the installation', () => {
  it('is the language of pages for people who prefer it, also from right to left', async () => {
    gateway.hydra.addLogin({ challenge: 'hebrew', uiLocales: ['he-IL'] });
    const browser = gateway.browser({ 'accept-language': 'en' });
    const first = await browser.get(`${PATHS.login}?login_challenge=hebrew`);
    expect(first.html).toContain('<html lang="he" dir="rtl"');
    expect(first.html).toContain('>א Sign in</button>');
    expect(first.state('login').app.language_links).toEqual([
      expect.objectContaining({ locale: 'de', name: 'Deutsch', dir: 'ltr' }),
      expect.objectContaining({ locale: 'en', name: 'English', dir: 'ltr' }),
      expect.objectContaining({ locale: 'he', name: 'עברית', dir: 'rtl' }),
    ]);
    const kept = await browser.get(`${PATHS.login}?login_challenge=hebrew`);
    expect(kept.html).toContain('>א Sign in</button>');
    expect(kept.html).toContain('<html lang="he" dir="rtl"');
  });

  it('is chosen by its link, remembered, and used after a sign-in in the account area', async () => {
    const user = await ManageUser.enter(gateway, { account: await newPerson(gateway), fresh: true });
    const overview = await user.browser.get(`${PATHS.manage}?lng=he`);
    expect(overview.setCookies).toContainEqual(expect.objectContaining({ name: 'i18next', value: 'he' }));
    const activity = await user.browser.get(PATHS.manageActivity);
    expect(activity.state('manage_activity').locale).toBe('he');
    expect(activity.html).toMatch(/<h1[^>]*>א /);
    // The names of days are in the language too.
    expect(activity.html).toMatch(/<h2[^>]*>יום /);
  });

  it('is the language of mails to people who have it, and English replaces a language that is not offered', async () => {
    await gateway.account('rachel', { email: 'rachel@example.org', language: 'he-IL' });
    await gateway.account('gudrun', { email: 'gudrun@example.org', language: 'is' });
    const mailTo = async (username: string) => {
      const arrived = server.next();
      await new ResetStory(gateway).ask(username, gateway.browser({ 'accept-language': 'xx' }));
      return PostalMime.parse((await arrived).source);
    };
    const { subject, text, html } = await mailTo('rachel');
    expect(subject).toBe('א Set a new password');
    expect(html).toContain('<html lang="he" dir="rtl">');
    expect(text).toContain('א Account: \u2068rachel\u2069');
    expect((await mailTo('gudrun')).subject).toBe('Set a new password');
  });

  it('[NTC-2] of a page does not choose that of a notice, because an attacker could choose it', async () => {
    const findLocales = async (more: object, headers: Record<string, string>) => {
      const account = await newPerson(gateway, { email: 'reader@example.org', ...more });
      for (let browsers = 0; browsers < 2; browsers += 1) await signIn(gateway, gateway.browser(headers), account);
      const rows = await gateway.database.db.selectFrom('outbox').select('locale').where('account_id', '=', account.id).execute();
      return rows.map(({ locale }) => locale);
    };
    expect(await findLocales({}, { 'accept-language': 'he-IL, en' })).toEqual(['en']);
    expect(await findLocales({ language: 'he' }, { 'accept-language': 'en' })).toEqual(['he']);
  });

  it('[GEN-5] has its own addresses in the footer, and those of a named other language if it lacks some', async () => {
    gateway.hydra.addLogin({ challenge: 'footer', uiLocales: ['he'] });
    const page = await gateway.browser().get(`${PATHS.login}?login_challenge=footer`);
    expect(page.state('login').app.footer_links).toEqual([
      { id: 'imprint', url: FOOTER.imprint.he, german_only: false },
      { id: 'terms', url: FOOTER.terms.de, german_only: true, locale: 'de' },
    ]);
    expect(page.html).toContain('href="https://example.org/odot?a=1&amp;b=2"');
    expect(page.html).toMatch(/href="https:\/\/example.org\/agb"[^>]*hreflang="de"/i);
  });

  it('changes single phrases of a language that ships', async () => {
    gateway.hydra.addLogin({ challenge: 'german' });
    const page = await gateway.browser({ 'accept-language': 'de' }).get(`${PATHS.login}?login_challenge=german`);
    expect(page.html).toContain('>Hinein</button>');
    expect(page.html).toContain(PHRASES['de']?.['login.password'] ?? 'missing');
  });
});
