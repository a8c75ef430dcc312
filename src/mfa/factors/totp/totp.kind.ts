import type { FactorKind } from '../../factor.port.js';

export const TOTP = {
  folder: 'totp',
  name: 'totp',
  label: () => 'authenticator app',
  amr: 'otp',
  isSingle: true,
  setUpBy: 'forms',
  provenBy: 'both',
  proofBegins: false,
  // Failures of a set-up do not count against sign-ins.
  counters: ['totp', 'totp-setup'],
  codes: { refused: 'invalid verification code', missing: 'totp not found', registered: 'totp already registered' },
  notices: { added: 'totp-added', removed: 'totp-removed' },
} as const satisfies FactorKind;
