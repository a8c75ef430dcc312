import type { FactorKind } from '../../factor.port.js';

export const EMAIL_CODE = {
  folder: 'email-code',
  name: 'email-code',
  label: () => 'codes by e-mail',
  amr: 'otp',
  isSingle: true,
  setUpBy: 'forms',
  provenBy: 'both',
  proofBegins: true,
  // Wrong codes of a set-up do not count against sign-ins.
  counters: ['email-code', 'email-code-setup'],
  codes: { refused: 'invalid verification code', missing: 'factor not found', registered: 'factor already registered' },
  notices: { added: 'email-code-added', removed: 'email-code-removed' },
  examine({ mail }) {
    if (mail.server) return null;
    return {
      problem: 'no mail server is set: the codes cannot be sent',
      fix: 'Set SMTP_URL, for example to smtps://user:password@mail.example.org.',
    };
  },
  byMail: {
    mails: ['email-code', 'email-code-set-up'],
    caution: {
      problem:
        'Anybody who reads the mail of a person whose only second factor is email-code can sign in as this person, because a mailed link sets a new password.',
      fix: 'Ask people to set up totp or fido2 instead, or remove email-code from MFA_FACTORS; people who have set it up keep it.',
    },
  },
} as const satisfies FactorKind;
