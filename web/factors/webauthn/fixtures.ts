/** Every state of security keys. */
import { PATHS, SERVER_PATHS } from '../../../src/contract/paths.js';
import { withEveryFactor, confirm, mfaPage, none, overview, setUp } from '../../fixtures/factor-states.js';
import { fixture, type Fixture } from '../../fixtures/fixture.js';
import { APP, FIRST_KEY, NO_APP, keys } from '../../fixtures/manage-samples.js';
import { LONG_NAME } from '../../fixtures/samples.js';

const PATH = PATHS.mfaVerify;

export const WEBAUTHN_FIXTURES: readonly Fixture[] = [
  fixture('mfa-key', PATH, withEveryFactor({ view: 'fido2' })),
  fixture('mfa-key-trust', PATH, withEveryFactor({ view: 'fido2', trust_days: 30 })),
  fixture('mfa-key-only', PATH, mfaPage(['fido2'], { view: 'fido2' })),
  fixture('mfa-key-failed', PATH, withEveryFactor({ view: 'fido2', error: 'fido2 failed' })),
  fixture('mfa-enrol-key', PATH, none({ view: 'enrol-fido2' })),
  fixture('mfa-enrol-key-failed', PATH, none({ view: 'enrol-fido2', error: 'fido2 failed' })),
  fixture('manage-fido2', SERVER_PATHS.manageRegisterFido2, setUp('fido2', { others: ['totp'] })),
  fixture('manage-fido2-alone', SERVER_PATHS.manageRegisterFido2, setUp('fido2', { others: [] })),
  fixture('manage-fido2-replace', SERVER_PATHS.manageReplaceFido2, setUp('fido2', { replaces: 'k1' })),
  fixture('manage-fido2-failed', SERVER_PATHS.manageRegisterFido2, setUp('fido2', { error: 'fido2 failed' })),
  fixture('manage-confirm-key', PATHS.manageConfirm, confirm({ method: 'fido2', methods: ['fido2'] })),
  fixture('manage-confirm-key-failed', PATHS.manageConfirm, confirm({ method: 'fido2', error: 'fido2 failed' })),
  fixture('manage-mfa-last-key-stays', PATHS.manageMfa, overview([NO_APP, keys(FIRST_KEY)], { last_stays: true })),
  fixture('manage-mfa-long-name', PATHS.manageMfa, overview([APP, keys({ ...FIRST_KEY, name: LONG_NAME.slice(0, 64) })])),
];
