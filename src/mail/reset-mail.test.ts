import { describe, expect, it } from '@jest/globals';
import { SHIPPED } from '../../locales/languages.js';
import { writeResetMail, type ResetMailKind } from './reset-mail.js';

const app = { name: 'Meridian', loginAddress: 'login.example.org' };
const notice = { language: SHIPPED.get('en'), username: 'maria', values: { token: 'a-token_1' }, queuedAt: new Date(0) } as const;

function writeMail(changes: object = {}, kind: ResetMailKind = 'password-reset') {
  const config = { app, publicUrl: 'https://login.example.org' } as Parameters<typeof writeResetMail>[2];
  return writeResetMail(kind, { ...notice, ...changes }, config);
}

const LINK = 'https://login.example.org/password-reset/reset-form?reset_token=a-token_1';

describe('the mail with a password reset link', () => {
  it('[PWR-3] [S-20] has the link in both parts, on the configured host, and states how long it works', () => {
    const { subject, text, html } = writeMail();
    expect(subject).toBe('Set a new password');
    expect(text).toContain(`\n${LINK}\n`);
    expect(html).toContain(`<a href="${LINK}"`);
    for (const part of [text, html]) {
      expect(part).toContain('30 minutes');
      expect(part).toContain('please ignore this e-mail');
    }
  });

  it('[PWR-3] [I18-1] is in German for people who requested it in German', () => {
    const { subject, text, html } = writeMail({ language: SHIPPED.get('de') });
    expect(subject).toBe('Neues Passwort festlegen');
    expect(text).toContain('30 Minuten');
    expect(html).toContain('<html lang="de" dir="ltr">');
    expect(text + html).not.toMatch(/\{\{|undefined|mail\./);
  });

  it('[S-22] does not let a username become markup or another line', () => {
    const { text, html } = writeMail({ username: '<b>x</b>\r\nBcc: y@evil.example' });
    expect(text).toContain('Account: <b>x</b> Bcc: y@evil.example\n');
    expect(html).not.toContain('<b>');
  });

  it.each([
    ['reset-link', '24 hours', '24 Stunden', 'Set a new password'],
    ['invitation', 'three days', 'drei Tage', 'Your account at Meridian'],
  ] as const)(
    'has the same link if an operator sends it (%s), but its own lifetime, and names the support',
    (kind, en, de, title) => {
      const [english, german] = [writeMail({}, kind), writeMail({ language: SHIPPED.get('de') }, kind)];
      expect(english.subject).toBe(title);
      expect(english.text).toContain(`\n${LINK}\n`);
      expect(english.text).toContain(en);
      expect(german.text).toContain(de);
      expect(english.text).toContain('Meridian support');
      for (const { text, html } of [english, german]) expect(text + html).not.toMatch(/\{\{|undefined|mail\.[a-z]+_/);
    },
  );

  it('is not written without its token', () => {
    expect(() => writeMail({ values: {} })).toThrow('The token of a link cannot be opened');
  });
});
