import { MAIL_SAMPLES } from '../../test/support/mail-samples.js';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { SHIPPED } from '../../locales/languages.js';
import { writeNoticeMail, type MailNotice } from './notice-mail.js';
import { NoticeKindUnknown, getCodeKeys, getNoticeKeys } from './notice-phrases.js';

const APP = {
  app: { name: 'Meridian', loginAddress: 'login.example.org' },
  publicUrl: 'https://login.example.org',
};
const LINK = 'https://login.example.org/not-me?token=a-token_1';

const KINDS = [
  'password-changed',
  'username-changed',
  'totp-added',
  'security-key-added',
  'totp-removed',
  'security-key-removed',
  'recovery-codes-made',
  'recovery-code-used',
  'factor-stopped',
  'factors-reset',
  'provider-connected',
  'provider-disconnected',
  'new-browser',
  'data-downloaded',
];

const buildNotice = (changes: Partial<MailNotice> = {}): MailNotice => ({
  kind: 'password-changed',
  language: SHIPPED.get('en'),
  username: 'maria',
  values: { token: 'a-token_1' },
  queuedAt: new Date('2026-11-21T13:25:40Z'),
  ...changes,
});

describe('a notice', () => {
  it('[NTC-1] [GEN-10] states what happened, when, to which account, from where, and what to do, in English', () => {
    const { subject, text } = writeNoticeMail(buildNotice({ values: { token: 'a-token_1', network: '203.0.113.x' } }), APP);
    expect(subject).toBe('Your password was changed');
    expect(text).toBe(
      [
        'The password of your Meridian account was changed.',
        `That was not me:\n${LINK}`,
        'Account: maria\nTime: 21 November 2026 at 13:25 UTC\nNetwork: 203.0.113.x',
        'If this was you, you don’t need to do anything. If it wasn’t you, secure your account. We’ll ask you to confirm, sign you out on all devices and send you a link to set a new password.',
        '“That was not me” works for 7 days. It can lock your account, but nobody can sign in with it.',
        'If you can’t sign in any more, or if somebody else may be reading your e-mail, please contact Meridian support.',
        '-- \nMeridian\nThis e-mail was sent automatically because it’s about the security of your account at login.example.org. Please don’t reply to it.\n',
      ].join('\n\n'),
    );
  });

  it('[I18-1] has a no-break space before each colon in French', () => {
    const { text } = writeNoticeMail(buildNotice({ language: SHIPPED.get('fr') }), APP);
    expect(text).toContain('Compte\u00a0: maria\n');
    expect(text).toContain(`Ce n’était pas moi\u00a0:\n${LINK}\n`);
  });

  it('[NTC-2] [I18-1] is in German for people who chose German', () => {
    const { subject, text, html } = writeNoticeMail(buildNotice({ language: SHIPPED.get('de'), kind: 'totp-added' }), APP);
    expect(subject).toBe('Eine Authenticator-App wurde eingerichtet');
    expect(text).toContain('Für Ihr Meridian-Konto wurde eine Authenticator-App eingerichtet.');
    expect(text).toContain('Konto: maria\nZeitpunkt: 21. November 2026 um 13:25 UTC');
    expect(html).toContain('<html lang="de" dir="ltr">');
  });

  it.each(SHIPPED.locales)('[NTC-1] [I18-1] %s: each kind of notice has its own text', (locale) => {
    const mails = KINDS.map((kind) => writeNoticeMail(buildNotice({ kind, language: SHIPPED.get(locale) }), APP));
    expect(new Set(mails.map(({ subject }) => subject)).size).toBe(KINDS.length);
    expect(new Set(mails.map(({ text }) => text.split('\n\n')[0])).size).toBe(KINDS.length);
    for (const { subject, text, html } of mails) {
      expect(`${subject}${text}${html}`).not.toMatch(/\{\{|undefined|mail\./);
      // Both parts have the same words.
      for (const line of text.split('\n\n').slice(3, 5)) expect(html).toContain(line);
      expect(html).toContain(`<a href="${LINK}"`);
    }
  });

  it('names the security key, and how many recovery codes are left', () => {
    const mail = writeNoticeMail(buildNotice({ kind: 'security-key-added', values: { name: 'Blue key' } }), APP);
    expect(mail.text).toContain('\nKey: Blue key\n');
    expect(mail.html).toContain('Blue key');
    expect(writeNoticeMail(buildNotice({ kind: 'recovery-code-used', values: { left: 0 } }), APP).text).toContain(
      '\nRecovery codes left: 0\n',
    );
    expect(writeNoticeMail(buildNotice({ kind: 'security-key-added' }), APP).text).not.toContain('\nKey:');
  });

  it('names the factor that is locked, and the username that was chosen', () => {
    const writeLockNotice = (factor: string) =>
      writeNoticeMail(buildNotice({ kind: 'factor-stopped', language: SHIPPED.get('de'), values: { factor } }), APP).text;
    expect(writeLockNotice('totp')).toContain('\nZweiter Faktor: Authenticator-App\n');
    expect(writeLockNotice('recovery')).toContain('\nZweiter Faktor: Wiederherstellungscodes\n');
    expect(writeLockNotice('constructor')).not.toContain('Faktor:');
    const notice = buildNotice({ kind: 'username-changed', values: { username: 'maria.neu' }, username: 'maria.neuer' });
    expect(writeNoticeMail(notice, APP).text).toContain('\n\nAccount: maria.neu\n');
  });

  it('omits the username of an account that no longer exists', () => {
    const { username, ...withoutUsername } = buildNotice();
    expect(username).toBeDefined();
    expect(writeNoticeMail(withoutUsername, APP).text).toContain(`\n${LINK}\n\nTime:`);
  });

  it('[S-22] [S-82] does not let a value become markup, a phrase or another line', () => {
    const name = '<img src=x onerror="a"> & {{app}} $& \'\r\nIf it was you: call 555\u2028\u202Eevil';
    const { subject, text, html } = writeNoticeMail(buildNotice({ kind: 'security-key-removed', values: { name } }), APP);
    expect(subject).toBe('A security key was removed');
    expect(text).toContain(`Key: <img src=x onerror="a"> & {{app}} $& ' If it was you: call 555 evil\n`);
    expect(html).toContain('&lt;img src=x onerror=&quot;a&quot;&gt; &amp; {{app}} $&amp; &#39; If it was you');
    expect(html).not.toContain('<img');
  });

  it('[NTC-1] explains in words what to do if a row has no token for a link', () => {
    const { text, html } = writeNoticeMail(buildNotice({ values: {} }), APP);
    expect(text).toContain('If it wasn’t you, sign in at login.example.org now, change your password');
    expect(text + html).not.toMatch(/not-me|<a\b/);
    expect(html).not.toContain(SHIPPED.get('en').phrases['mail.link_addresses']);
  });

  it('loads nothing, and links only to the configured address', () => {
    for (const kind of KINDS) {
      const { html } = writeNoticeMail(buildNotice({ kind, values: { name: 'x', left: 3, token: 'a-token_1' } }), APP);
      expect(html.replaceAll(LINK, '')).not.toMatch(/<(img|link|script|iframe)\b|url\(|https?:/i);
      expect(html).toContain('<meta name="color-scheme" content="light dark">');
    }
  });

  it('shows times in the time zone of the installation', () => {
    const inBerlin = { ...APP, app: { ...APP.app, timeZone: 'Europe/Berlin' } };
    expect(writeNoticeMail(buildNotice(), inBerlin).text).toContain('Time: 21 November 2026 at 14:25 CET\n');
  });

  it('refuses a kind of mail that only a newer version knows', () => {
    for (const kind of ['from-a-later-version', 'constructor', '__proto__']) {
      expect(() => writeNoticeMail(buildNotice({ kind }), APP)).toThrow(NoticeKindUnknown);
    }
  });
});

describe('the phrases of mails', () => {
  it('are all in use', () => {
    const source = [
      'notice-phrases',
      'notice-mail',
      'notice-markup',
      'reset-mail',
      'secured-mail',
      'deletion-mail',
      'proof-code-mail',
      'password-elsewhere-mail',
      'change-announced-mail',
      'account-exists-mail',
      'sign-up-mail',
      'code-not-sent-mail',
      'join-mail',
    ]
      .map((file) => readFileSync(`src/mail/${file}.ts`, 'utf8'))
      .join('');
    const phrases = Object.keys(JSON.parse(readFileSync('locales/en.json', 'utf8')) as object);
    const sampleKeys = MAIL_SAMPLES.flatMap(({ name }) => findKeys(name.slice('mail-'.length), phrases));
    const unused = phrases.filter((key) => key.startsWith('mail.') && !source.includes(`'${key}'`) && !sampleKeys.includes(key));
    // Names of kinds of second factor: test/shape/factor-footprint.test.ts.
    expect(unused.filter((key) => !key.startsWith('mail.factor_'))).toEqual([]);
  });
});

/** Samples of mails whose modules contain the keys of all their phrases. */
const SAMPLES_WITH_LITERAL_KEYS = [
  ...['password-reset', 'reset-link', 'invitation', 'join-invitation', 'join-invitation-bare'],
  ...[
    'account-secured',
    'account-secured-elsewhere',
    'password-elsewhere',
    'account-exists',
    'code-not-sent',
    'code-not-sent-usual',
  ],
  ...['sign-up-waits', 'sign-up-approved', 'sign-up-refused', 'sign-up-refused-bare', 'sign-up-expired'],
  ...['change-announced', 'change-announced-address', 'change-announced-factor'],
];

/** @returns the keys of a notice, or of a mail with a code; none for a mail whose module contains them */
function findKeys(sample: string, phrases: readonly string[]): string[] {
  if (SAMPLES_WITH_LITERAL_KEYS.includes(sample)) return [];
  const isCode = phrases.includes(`mail.${sample.replaceAll('-', '_')}_if_not`);
  return Object.values<string>({ ...(isCode ? getCodeKeys(sample) : getNoticeKeys(sample)) });
}
