/** Fixtures for the page states of security keys. */
import { PATHS, SERVER_PATHS } from '../../../src/contract/paths.js';
import {
  buildMfaWithTotpAndKey,
  buildConfirm,
  buildMfaPage,
  buildMfaWithoutFactor,
  buildOverview,
  buildSetUp,
} from '../../fixtures/factor-states.js';
import { fixture, type Fixture } from '../../fixtures/fixture.js';
import { TOTP_FACTOR, FIRST_KEY, EMPTY_TOTP_FACTOR, buildKeys } from '../../fixtures/manage-samples.js';
import { LONG_NAME } from '../../fixtures/samples.js';

const PATH = PATHS.mfaVerify;

export const WEBAUTHN_FIXTURES: readonly Fixture[] = [
  fixture('mfa-key', PATH, buildMfaWithTotpAndKey({ view: 'fido2' })),
  fixture('mfa-key-trust', PATH, buildMfaWithTotpAndKey({ view: 'fido2', trust_days: 30 })),
  fixture('mfa-key-only', PATH, buildMfaPage(['fido2'], { view: 'fido2' })),
  fixture('mfa-key-failed', PATH, buildMfaWithTotpAndKey({ view: 'fido2', error: 'fido2 failed' })),
  fixture('mfa-enrol-key', PATH, buildMfaWithoutFactor({ view: 'enrol-fido2' })),
  fixture('mfa-enrol-key-failed', PATH, buildMfaWithoutFactor({ view: 'enrol-fido2', error: 'fido2 failed' })),
  fixture('manage-fido2', SERVER_PATHS.manageRegisterFido2, buildSetUp('fido2', { others: ['totp'] })),
  fixture('manage-fido2-alone', SERVER_PATHS.manageRegisterFido2, buildSetUp('fido2', { others: [] })),
  fixture('manage-fido2-replace', SERVER_PATHS.manageReplaceFido2, buildSetUp('fido2', { replaces: 'k1' })),
  fixture('manage-fido2-failed', SERVER_PATHS.manageRegisterFido2, buildSetUp('fido2', { error: 'fido2 failed' })),
  fixture('manage-confirm-key', PATHS.manageConfirm, buildConfirm({ method: 'fido2', methods: ['fido2'] })),
  fixture('manage-confirm-key-failed', PATHS.manageConfirm, buildConfirm({ method: 'fido2', error: 'fido2 failed' })),
  fixture(
    'manage-mfa-last-key-stays',
    PATHS.manageMfa,
    buildOverview([EMPTY_TOTP_FACTOR, buildKeys(FIRST_KEY)], { last_stays: true }),
  ),
  fixture(
    'manage-mfa-long-name',
    PATHS.manageMfa,
    buildOverview([TOTP_FACTOR, buildKeys({ ...FIRST_KEY, name: LONG_NAME.slice(0, 64) })]),
  ),
];
