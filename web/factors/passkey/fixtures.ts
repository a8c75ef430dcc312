/** Fixtures for every state of passkeys on the pages of second factors. */
import { FACTOR_PATHS } from '../../../src/contract/factor-paths.js';
import { PATHS } from '../../../src/contract/paths.js';
import { buildConfirm, buildMfaPage, buildOverview, buildSetUp } from '../../fixtures/factor-states.js';
import { fixture, type Fixture } from '../../fixtures/fixture.js';
import { APP, FIRST_KEY, NO_APP, SECOND_KEY } from '../../fixtures/manage-samples.js';

const PATH = PATHS.mfaVerify;
const REGISTER = FACTOR_PATHS.register('passkey');
const ONE = { name: 'passkey', offered: true, entries: [{ ...FIRST_KEY, name: 'iCloud Keychain', synced: true }] };
const TWO = {
  ...ONE,
  entries: [...ONE.entries, { ...SECOND_KEY, name: 'YubiKey', synced: false }],
};
const NONE = { ...ONE, entries: [] };
const OR_MAIL = { methods: ['passkey', 'mail'], mail: { address: 'm•••u@beispiel.example', sent: false } };
const ACCEPTED = {
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
  fixture('manage-confirm-passkey-or-mail', PATHS.manageConfirm, buildConfirm({ method: 'passkey', ...OR_MAIL })),
  fixture('manage-confirm-mail-or-passkey', PATHS.manageConfirm, buildConfirm({ method: 'mail', ...OR_MAIL })),
  fixture('manage-mfa-passkey', PATHS.manageMfa, buildOverview([ONE, APP], { passkeys: ACCEPTED })),
  fixture('manage-mfa-passkeys', PATHS.manageMfa, buildOverview([TWO, APP])),
  fixture('manage-mfa-passkey-none', PATHS.manageMfa, buildOverview([NONE, APP])),
  fixture('manage-mfa-passkey-last', PATHS.manageMfa, buildOverview([ONE, NO_APP], { error: 'last way in' })),
];
