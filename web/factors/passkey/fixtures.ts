/** Fixtures for the states of passkeys in the second step of a sign-in and in the account area. */
import { FACTOR_PATHS } from '../../../src/contract/factor-paths.js';
import { PATHS } from '../../../src/contract/paths.js';
import { buildConfirm, buildMfaPage, buildOverview, buildSetUp } from '../../fixtures/factor-states.js';
import { fixture, type Fixture } from '../../fixtures/fixture.js';
import { TOTP_FACTOR, FIRST_KEY, EMPTY_TOTP_FACTOR, SECOND_KEY } from '../../fixtures/manage-samples.js';

const PATH = PATHS.mfaVerify;
const REGISTER = FACTOR_PATHS.register('passkey');
const ONE_PASSKEY = { name: 'passkey', offered: true, entries: [{ ...FIRST_KEY, name: 'iCloud Keychain', synced: true }] };
const TWO_PASSKEYS = {
  ...ONE_PASSKEY,
  entries: [...ONE_PASSKEY.entries, { ...SECOND_KEY, name: 'YubiKey', synced: false }],
};
const NO_PASSKEYS = { ...ONE_PASSKEY, entries: [] };
const PASSKEY_OR_MAIL = { methods: ['passkey', 'mail'], mail: { address: 'm•••u@beispiel.example', sent: false } };
const ACCEPTED_PASSKEYS = {
  rp_id: 'foyer.example',
  user_id: 'aGFuZGxl',
  accepted: ['b25l'],
  name: 'maria.musterfrau',
  display_name: 'Maria',
};

export const PASSKEY_FIXTURES: readonly Fixture[] = [
  fixture('mfa-passkey', PATH, buildMfaPage(['passkey'], { view: 'passkey' })),
  fixture('mfa-passkey-failed', PATH, buildMfaPage(['passkey', 'totp'], { view: 'passkey', error: 'passkey failed' })),
  fixture('manage-passkey', REGISTER, buildSetUp('passkey', { others: ['totp'] })),
  fixture('manage-passkey-failed', REGISTER, buildSetUp('passkey', { error: 'passkey failed' })),
  fixture('manage-confirm-passkey', PATHS.manageConfirm, buildConfirm({ method: 'passkey', methods: ['passkey'] })),
  fixture('manage-confirm-passkey-or-mail', PATHS.manageConfirm, buildConfirm({ method: 'passkey', ...PASSKEY_OR_MAIL })),
  fixture('manage-confirm-mail-or-passkey', PATHS.manageConfirm, buildConfirm({ method: 'mail', ...PASSKEY_OR_MAIL })),
  fixture('manage-mfa-passkey', PATHS.manageMfa, buildOverview([ONE_PASSKEY, TOTP_FACTOR], { passkeys: ACCEPTED_PASSKEYS })),
  fixture('manage-mfa-passkeys', PATHS.manageMfa, buildOverview([TWO_PASSKEYS, TOTP_FACTOR])),
  fixture('manage-mfa-passkey-none', PATHS.manageMfa, buildOverview([NO_PASSKEYS, TOTP_FACTOR])),
  fixture('manage-mfa-passkey-stays', PATHS.manageMfa, buildOverview([ONE_PASSKEY, EMPTY_TOTP_FACTOR], { last_stays: true })),
  fixture('manage-mfa-passkey-last', PATHS.manageMfa, buildOverview([ONE_PASSKEY, EMPTY_TOTP_FACTOR], { error: 'last way in' })),
];
