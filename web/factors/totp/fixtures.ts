/** Fixtures for the page states of an authenticator app. */
import { PATHS, SERVER_PATHS } from '../../../src/contract/paths.js';
import {
  buildMfaWithTotpAndKey,
  buildConfirm,
  buildMfaWithTotp,
  buildMfaPage,
  buildMfaWithoutFactor,
  buildSetUp,
} from '../../fixtures/factor-states.js';
import { fixture, type Fixture } from '../../fixtures/fixture.js';
import { SETUP } from '../../fixtures/manage-samples.js';
import { LONG_NAME, MARIA_UNNAMED } from '../../fixtures/samples.js';

const PATH = PATHS.mfaVerify;

export const TOTP_FIXTURES: readonly Fixture[] = [
  fixture('mfa-totp', PATH, buildMfaWithTotp({})),
  fixture('mfa-totp-trust', PATH, buildMfaWithTotpAndKey({ trust_days: 30 })),
  fixture(
    'mfa-totp-trust-invalid',
    PATH,
    buildMfaWithTotp({ trust_days: 1, trust_checked: true, error: 'invalid verification code' }),
  ),
  fixture('mfa-totp-other-ways', PATH, buildMfaWithTotpAndKey({})),
  fixture('mfa-totp-invalid', PATH, buildMfaWithTotpAndKey({ error: 'invalid verification code' })),
  fixture('mfa-totp-limited', PATH, buildMfaWithTotp({ error: 'limited', retry_after: 120 })),
  fixture('mfa-totp-limited-alone', PATH, buildMfaPage(['totp'], { error: 'limited', retry_after: 120 })),
  fixture(
    'mfa-totp-long-name',
    PATH,
    buildMfaWithTotp({ account: { id: MARIA_UNNAMED.id, name: LONG_NAME, username: LONG_NAME } }),
  ),
  fixture('mfa-enrol-totp', SERVER_PATHS.mfaEnrolTotp, buildMfaWithoutFactor({ view: 'enrol-totp', setup: SETUP })),
  fixture('mfa-enrol-totp-begins', PATH, buildMfaWithoutFactor({ view: 'enrol-totp' })),
  fixture(
    'mfa-enrol-totp-invalid',
    SERVER_PATHS.mfaEnrolTotp,
    buildMfaWithoutFactor({ view: 'enrol-totp', setup: SETUP, error: 'invalid verification code' }),
  ),
  fixture('manage-totp', SERVER_PATHS.manageRegisterTotp, buildSetUp('totp', { setup: SETUP })),
  fixture('manage-totp-replace', SERVER_PATHS.manageReplaceTotp, buildSetUp('totp', { setup: SETUP, replaces: true })),
  fixture('manage-totp-begins', SERVER_PATHS.manageRegisterTotp, buildSetUp('totp')),
  fixture(
    'manage-totp-invalid',
    SERVER_PATHS.manageRegisterTotp,
    buildSetUp('totp', { error: 'invalid verification code', setup: SETUP }),
  ),
  fixture(
    'manage-totp-limited',
    SERVER_PATHS.manageRegisterTotp,
    buildSetUp('totp', { error: 'too many requests', retry_after: 120, setup: SETUP }),
  ),
  fixture('manage-totp-registered', SERVER_PATHS.manageRegisterTotp, buildSetUp('totp', { error: 'totp already registered' })),
  fixture('manage-confirm-totp', PATHS.manageUsername, buildConfirm({ method: 'totp' })),
  fixture('manage-confirm-totp-wrong', PATHS.manageConfirm, buildConfirm({ method: 'totp', error: 'invalid verification code' })),
];
