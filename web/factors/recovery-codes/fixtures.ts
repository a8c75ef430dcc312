/** Fixtures for the page states of recovery codes. */
import type { ManageRecoveryCodesState } from '../../../src/contract/manage-state.js';
import { PATHS, SERVER_PATHS } from '../../../src/contract/paths.js';
import { buildMfaWithTotpAndKey, buildMfaWithTotp } from '../../fixtures/factor-states.js';
import { RETURN, fixture, addApp, type Fixture } from '../../fixtures/fixture.js';
import { FRAME, RECOVERY_CODES } from '../../fixtures/manage-samples.js';
import { SECRETS } from '../../fixtures/samples.js';

const PATH = PATHS.mfaVerify;

const buildCodesPage = (manage_recovery_codes: ManageRecoveryCodesState) =>
  addApp(RETURN, { page: 'manage_recovery_codes', ...FRAME, manage_recovery_codes } as const);

export const RECOVERY_CODES_FIXTURES: readonly Fixture[] = [
  fixture('mfa-recovery', PATH, buildMfaWithTotpAndKey({ view: 'recovery' })),
  fixture('mfa-recovery-invalid', PATH, buildMfaWithTotp({ view: 'recovery', error: 'invalid verification code' })),
  fixture('mfa-recovery-limited', PATH, buildMfaWithTotpAndKey({ view: 'recovery', error: 'limited', retry_after: 120 })),
  fixture(
    'mfa-codes',
    SERVER_PATHS.mfaEnrolTotp,
    buildMfaWithTotp({ view: 'codes', codes: RECOVERY_CODES, mfa_token: SECRETS.xsrf_token, recovery_codes_left: true }),
  ),
  fixture('manage-recovery-codes', PATHS.manageRecoveryCodes, buildCodesPage({ error: null, left: 9 })),
  fixture('manage-recovery-codes-few', PATHS.manageRecoveryCodes, buildCodesPage({ error: null, left: 1 })),
  fixture('manage-recovery-codes-unseen', PATHS.manageRecoveryCodes, buildCodesPage({ error: null, left: 10, unseen: true })),
  fixture('manage-recovery-codes-error', PATHS.manageRecoveryCodes, buildCodesPage({ error: 'error', left: 9 })),
  fixture(
    'manage-recovery-codes-made',
    PATHS.manageRecoveryCodes,
    buildCodesPage({ error: null, left: 10, codes: RECOVERY_CODES }),
  ),
];
