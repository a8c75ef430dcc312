/** Fixtures for the page states of codes by e-mail. */
import { FACTOR_PATHS } from '../../../src/contract/factor-paths.js';
import type { ManagedFactorState } from '../../../src/contract/manage-state.js';
import { PATHS } from '../../../src/contract/paths.js';
import { buildConfirm, buildMfaPage, buildOverview, buildSetUp } from '../../fixtures/factor-states.js';
import { fixture, type Fixture } from '../../fixtures/fixture.js';
import { TOTP_FACTOR, buildKeys } from '../../fixtures/manage-samples.js';
import { RPC_TOKEN } from '../../fixtures/samples.js';

const NAME = 'email-code';
const PATH = PATHS.mfaVerify;
const REGISTER = FACTOR_PATHS.register(NAME);
const UNSENT_CODE = { address: 'm•••u@beispiel.example', sent: false };
const SENT_CODE = { ...UNSENT_CODE, sent: true };

const ENTRY = { created_at: '2026-03-12T09:30:00.000Z', last_used_at: '2026-11-20T07:12:00.000Z' };
const ACTIVE_FACTOR: ManagedFactorState = { name: NAME, offered: true, entries: [ENTRY] };
const EMPTY_FACTOR: ManagedFactorState = { name: NAME, offered: true, entries: [] };

const buildVerification = (state: object, change: Parameters<typeof buildMfaPage>[1] = {}) =>
  buildMfaPage([NAME, 'totp', 'recovery'], { view: NAME, ...change }, state);
const buildEnrolment = (change: Parameters<typeof buildMfaPage>[1]) =>
  buildMfaPage([], { view: `enrol-${NAME}`, enrol_token: RPC_TOKEN, ...change });
const buildProof = (factor: object, change: Parameters<typeof buildConfirm>[0] = {}) =>
  buildConfirm({ methods: ['password', NAME], method: NAME, factor, ...change });

export const EMAIL_CODE_FIXTURES: readonly Fixture[] = [
  fixture('mfa-email', PATH, buildVerification(UNSENT_CODE)),
  fixture('mfa-email-sent', PATH, buildVerification(SENT_CODE)),
  fixture('mfa-email-trust', PATH, buildVerification(SENT_CODE, { trust_days: 30 })),
  fixture('mfa-email-wrong', PATH, buildVerification(SENT_CODE, { error: 'invalid verification code' })),
  fixture('mfa-email-limited', PATH, buildVerification(UNSENT_CODE, { error: 'limited', retry_after: 1200 })),
  fixture('mfa-email-no-address', PATH, buildVerification({ address: '', sent: false }, { error: 'no e-mail address' })),
  fixture('mfa-email-unavailable', PATH, buildVerification(UNSENT_CODE, { error: 'factor unavailable' })),
  fixture('mfa-email-choose', PATH, buildMfaPage([NAME, 'totp', 'recovery'], { view: 'choose' })),
  fixture('mfa-enrol-email', PATH, buildEnrolment({})),
  fixture('mfa-enrol-email-sent', PATH, buildEnrolment({ setup: SENT_CODE })),
  fixture('manage-email', REGISTER, buildSetUp(NAME)),
  fixture('manage-email-sent', REGISTER, buildSetUp(NAME, { setup: SENT_CODE })),
  fixture('manage-email-wrong', REGISTER, buildSetUp(NAME, { setup: SENT_CODE, error: 'invalid verification code' })),
  fixture('manage-email-no-address', REGISTER, buildSetUp(NAME, { error: 'no e-mail address' })),
  fixture('manage-email-limited', REGISTER, buildSetUp(NAME, { error: 'too many requests', retry_after: 1200 })),
  fixture('manage-mfa-email', PATHS.manageMfa, buildOverview([TOTP_FACTOR, buildKeys(), ACTIVE_FACTOR])),
  fixture('manage-mfa-email-off', PATHS.manageMfa, buildOverview([TOTP_FACTOR, buildKeys(), EMPTY_FACTOR])),
  fixture('manage-confirm-email', PATHS.manageConfirm, buildProof(UNSENT_CODE)),
  fixture('manage-confirm-data-email', PATHS.manageConfirm, buildProof(UNSENT_CODE, { next: PATHS.manageData })),
  fixture('manage-confirm-email-sent', PATHS.manageConfirm, buildProof(SENT_CODE)),
  fixture('manage-confirm-email-wrong', PATHS.manageConfirm, buildProof(SENT_CODE, { error: 'invalid verification code' })),
];
