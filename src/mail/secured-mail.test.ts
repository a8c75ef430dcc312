import { describe, expect, it } from '@jest/globals';
import { SHIPPED } from '../../locales/languages.js';
import { writeSecuredMail, type SecuredMailConfig } from './secured-mail.js';

const CONFIG: SecuredMailConfig = {
  app: { name: 'Meridian', loginAddress: 'login.example.org' },
  publicUrl: 'https://login.example.org',
  manage: { freezeSeconds: 24 * 3600 },
  sources: [],
  scim: [],
};
const LINK = 'https://login.example.org/password-reset/reset-form?reset_token=a-token_1';
const notice = {
  language: SHIPPED.get('en'),
  username: 'maria',
  values: { token: 'a-token_1' },
  queuedAt: new Date('2026-11-21T13:25:40Z'),
} as const;

describe('the mail after "that was not me"', () => {
  it('[NTC-1] [PWR-7] states when it was written and until when changes are locked, and leads to a new password', () => {
    const { subject, text, html } = writeSecuredMail(notice, CONFIG);
    expect(subject).toBe('Your account is secured');
    expect(text).toContain(`\nSet a new password:\n${LINK}\n`.slice(1));
    expect(text).toContain(
      'Account: maria\nTime: 21 November 2026 at 13:25 UTC\nChanges locked until: 22 November 2026 at 13:25 UTC\n',
    );
    expect(html).toContain(`<a href="${LINK}"`);
  });

  it.each(SHIPPED.locales)('[I18-1] %s: has its own words, and no "that was not me" link', (locale) => {
    const { text, html } = writeSecuredMail({ ...notice, language: SHIPPED.get(locale) }, CONFIG);
    expect(text + html).not.toMatch(/\{\{|undefined|mail\.|not-me/);
    expect(html).toContain(`<html lang="${locale}" `);
  });

  it.each(SHIPPED.locales)('[NTC-1] %s: promises no new password if the password belongs to a user source', (locale) => {
    const { text } = writeSecuredMail({ ...notice, language: SHIPPED.get(locale), values: { source: 'staff' } }, CONFIG);
    expect(text).not.toMatch(/no longer works|gilt nicht mehr|link/i);
    expect(text).toContain(SHIPPED.get(locale).phrases['mail.secured_elsewhere']);
  });

  it('[EML-3] states that the former address was restored', () => {
    const sentence = 'Your account has this e-mail address again.';
    expect(writeSecuredMail(notice, CONFIG).text).not.toContain(sentence);
    for (const moreValues of [{}, { source: 'staff' }]) {
      expect(writeSecuredMail({ ...notice, values: { ...moreValues, emailRestored: 1 } }, CONFIG).text).toContain(sentence);
    }
  });

  it('is useful without its link too', () => {
    const { text, html } = writeSecuredMail({ ...notice, values: {} }, CONFIG);
    expect(text).toContain('no longer works');
    expect(html).not.toContain('<a ');
  });
});
