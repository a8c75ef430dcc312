/** Every state of an authenticator app. */
import { PATHS, SERVER_PATHS } from '../../../src/contract/paths.js';
import { withEveryFactor, confirm, mfa, mfaPage, none, setUp } from '../../fixtures/factor-states.js';
import { fixture, type Fixture } from '../../fixtures/fixture.js';
import { SETUP } from '../../fixtures/manage-samples.js';
import { LONG_NAME, MARIA_UNNAMED } from '../../fixtures/samples.js';

const PATH = PATHS.mfaVerify;

export const TOTP_FIXTURES: readonly Fixture[] = [
  fixture('mfa-totp', PATH, mfa({})),
  fixture('mfa-totp-trust', PATH, withEveryFactor({ trust_days: 30 })),
  fixture('mfa-totp-trust-invalid', PATH, mfa({ trust_days: 1, trust_checked: true, error: 'invalid verification code' })),
  fixture('mfa-totp-other-ways', PATH, withEveryFactor({})),
  fixture('mfa-totp-invalid', PATH, withEveryFactor({ error: 'invalid verification code' })),
  fixture('mfa-totp-limited', PATH, mfa({ error: 'limited', retry_after: 120 })),
  fixture('mfa-totp-limited-alone', PATH, mfaPage(['totp'], { error: 'limited', retry_after: 120 })),
  fixture('mfa-totp-long-name', PATH, mfa({ account: { id: MARIA_UNNAMED.id, name: LONG_NAME, username: LONG_NAME } })),
  fixture('mfa-enrol-totp', SERVER_PATHS.mfaEnrolTotp, none({ view: 'enrol-totp', setup: SETUP })),
  fixture('mfa-enrol-totp-begins', PATH, none({ view: 'enrol-totp' })),
  fixture(
    'mfa-enrol-totp-invalid',
    SERVER_PATHS.mfaEnrolTotp,
    none({ view: 'enrol-totp', setup: SETUP, error: 'invalid verification code' }),
  ),
  fixture('manage-totp', SERVER_PATHS.manageRegisterTotp, setUp('totp', { setup: SETUP })),
  fixture('manage-totp-replace', SERVER_PATHS.manageReplaceTotp, setUp('totp', { setup: SETUP, replaces: true })),
  fixture('manage-totp-begins', SERVER_PATHS.manageRegisterTotp, setUp('totp')),
  fixture(
    'manage-totp-invalid',
    SERVER_PATHS.manageRegisterTotp,
    setUp('totp', { error: 'invalid verification code', setup: SETUP }),
  ),
  fixture('manage-totp-registered', SERVER_PATHS.manageRegisterTotp, setUp('totp', { error: 'totp already registered' })),
  fixture('manage-confirm-totp', PATHS.manageUsername, confirm({ method: 'totp' })),
  fixture('manage-confirm-totp-wrong', PATHS.manageConfirm, confirm({ method: 'totp', error: 'invalid verification code' })),
];
