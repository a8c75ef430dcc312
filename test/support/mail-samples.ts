/** One sample of every kind of mail, from the real renderer, for `npm run screens -- mail`. */
import { SHIPPED } from '../../locales/languages.js';
import type { Locale } from '../../src/contract/locale.js';
import type { WaitingMail } from '../../src/mail/mail-queue.port.js';
import type { MailText } from '../../src/mail/notice-mail.js';
import type { Look } from './looks.js';
import { renderMail } from '../../src/mail/render-mail.js';

export interface MailSample {
  name: string;
  /** @param look the look of the installation */
  mail(locale: Locale, look?: Look): MailText;
}

/** A token of realistic length. */
const TOKEN = 'Zy3k9vQm0aXw7Lr2NfTq8HcYdUeGjPbS4iKoV6x1C5M';
const NETWORK = { network: '203.0.113.x' };

/** Values of every kind of mail; a shape test requires those of second factors. */
const VALUES: Readonly<Record<string, WaitingMail['values']>> = {
  'password-changed': NETWORK,
  'username-changed': { ...NETWORK, username: 'maria.neu' },
  'totp-added': NETWORK,
  'security-key-added': { ...NETWORK, name: 'Blue key on the ring' },
  'totp-removed': NETWORK,
  'security-key-removed': {
    network: '2001:db8:1:2:x',
    name: 'A key with a name that goes on and on, so that it does not fit a line',
  },
  'passkey-added': NETWORK,
  'passkey-removed': { ...NETWORK, name: 'Maria’s phone' },
  'email-code-added': NETWORK,
  'email-code-removed': NETWORK,
  'recovery-codes-made': NETWORK,
  'recovery-code-used': { ...NETWORK, left: 3 },
  'factor-stopped': { ...NETWORK, factor: 'totp' },
  'factors-reset': NETWORK,
  'provider-connected': { ...NETWORK, provider: 'Google' },
  'provider-disconnected': { ...NETWORK, provider: 'Microsoft' },
  'data-downloaded': NETWORK,
  'new-browser': { ...NETWORK, browser: 'Firefox, Windows' },
  'deletion-requested': { ...NETWORK, due: '2026-11-28T13:25:40.000Z', keep: TOKEN },
  'deletion-cancelled': NETWORK,
  'change-announced': { change: 'factors', from: '2026-11-28T13:25:40.000Z', stop: TOKEN },
  'change-announced-address': {
    change: 'address',
    email: 'maria.neu@beispiel.example',
    from: '2026-11-28T13:25:40.000Z',
    stop: TOKEN,
  },
  'change-announced-factor': { change: 'factor', factor: 'totp', from: '2026-11-28T13:25:40.000Z', stop: TOKEN },
  'account-deleted': { username: 'maria.musterfrau' },
  'email-changed': {},
  'own-email-changed': NETWORK,
  'password-reset': {},
  'reset-link': {},
  invitation: {},
  'account-secured': {},
  'password-elsewhere': { source: 'staff' },
  'account-secured-elsewhere': { source: 'staff' },
  'proof-code': { code: '482193' },
  'email-change-code': { code: '482193' },
  'support-code': { code: '482193' },
  'sign-in-code': { code: '482193' },
  'code-not-sent': { why: 'stronger' },
  'code-not-sent-usual': { why: 'usual' },
  'sign-up-code': { code: '482193' },
  'account-exists': {},
  'sign-up-waits': {},
  'sign-up-approved': { url: 'https://portal.example/' },
  'sign-up-refused': { words: 'Please ask your branch office for an account.' },
  'sign-up-refused-bare': {},
  'sign-up-expired': {},
  'join-invitation': {
    ...{ token: 'join-token', until: '2026-12-05T15:00:00.000Z', email: 'nele@example.org' },
    ...{ client: 'Partner Portal', inviter: 'Ina Immergrün' },
  },
  'join-invitation-bare': { token: 'join-token', until: '2026-12-05T15:00:00.000Z', email: 'nele@example.org' },
  'email-code': { code: '482193' },
  'email-code-set-up': { code: '482193', act: 'set-up' },
};

/** The kind of samples that show one of several texts of the kind. */
const KINDS_OF: Readonly<Record<string, WaitingMail['kind']>> = {
  'join-invitation-bare': 'join-invitation',
  'email-code-set-up': 'email-code',
  'account-secured-elsewhere': 'account-secured',
  'code-not-sent-usual': 'code-not-sent',
  'sign-up-refused-bare': 'sign-up-refused',
  'change-announced-address': 'change-announced',
  'change-announced-factor': 'change-announced',
};

const CONFIG = {
  app: { name: 'Beispielportal', loginAddress: 'login.example.org' },
  publicUrl: 'https://login.example.org',
  manage: { freezeSeconds: 24 * 3600 },
  sources: [],
  scim: [],
  language: { offered: SHIPPED },
};

function appIn({ installation: { brandColour }, app = {} }: Look) {
  return {
    ...CONFIG.app,
    ...(brandColour === undefined ? {} : { brandColour }),
    ...(app.name === undefined ? {} : { name: app.name }),
    ...(app.logo_url === undefined ? {} : { logoUrl: app.logo_url }),
    ...(app.logo_dark_url === undefined ? {} : { logoDarkUrl: app.logo_dark_url }),
  };
}

export const MAIL_SAMPLES: readonly MailSample[] = Object.entries(VALUES).map(([name, values]) => ({
  name: `mail-${name}`,
  mail: (locale, look = { installation: {} }) =>
    renderMail(
      {
        kind: KINDS_OF[name] ?? name,
        locale,
        username: 'maria.musterfrau',
        values: { ...values, token: TOKEN },
        queuedAt: new Date('2026-11-21T13:25:40Z'),
      },
      { ...CONFIG, app: appIn(look) },
    ),
}));
