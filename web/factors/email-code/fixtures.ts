/** Every state of codes by e-mail. */
import { FACTOR_PATHS } from '../../../src/contract/factor-paths.js';
import type { ManagedFactorState } from '../../../src/contract/manage-state.js';
import { PATHS } from '../../../src/contract/paths.js';
import { confirm, mfaPage, overview, setUp } from '../../fixtures/factor-states.js';
import { fixture, type Fixture } from '../../fixtures/fixture.js';
import { APP, keys } from '../../fixtures/manage-samples.js';
import { SECRETS } from '../../fixtures/samples.js';

const NAME = 'email-code';
const PATH = PATHS.mfaVerify;
const REGISTER = FACTOR_PATHS.register(NAME);
const ASKED = { address: 'm•••u@beispiel.example', sent: false };
const SENT = { ...ASKED, sent: true };

const ENTRY = { created_at: '2026-03-12T09:30:00.000Z', last_used_at: '2026-11-20T07:12:00.000Z' };
const ACTIVE: ManagedFactorState = { name: NAME, offered: true, entries: [ENTRY] };
const NOT_SET_UP: ManagedFactorState = { name: NAME, offered: true, entries: [] };

const verify = (state: object, change: Parameters<typeof mfaPage>[1] = {}) =>
  mfaPage([NAME, 'totp', 'recovery'], { view: NAME, ...change }, state);
const enrol = (change: Parameters<typeof mfaPage>[1]) =>
  mfaPage([], { view: `enrol-${NAME}`, enrol_token: SECRETS.ticket.slice(0, 108), ...change });
const proof = (factor: object, change: Parameters<typeof confirm>[0] = {}) =>
  confirm({ methods: ['password', NAME], method: NAME, factor, ...change });

export const EMAIL_CODE_FIXTURES: readonly Fixture[] = [
  fixture('mfa-email', PATH, verify(ASKED)),
  fixture('mfa-email-sent', PATH, verify(SENT)),
  fixture('mfa-email-trust', PATH, verify(SENT, { trust_days: 30 })),
  fixture('mfa-email-wrong', PATH, verify(SENT, { error: 'invalid verification code' })),
  fixture('mfa-email-limited', PATH, verify(ASKED, { error: 'limited', retry_after: 1200 })),
  fixture('mfa-email-no-address', PATH, verify({ address: '', sent: false }, { error: 'no e-mail address' })),
  fixture('mfa-email-unavailable', PATH, verify(ASKED, { error: 'factor unavailable' })),
  fixture('mfa-email-choose', PATH, mfaPage([NAME, 'totp', 'recovery'], { view: 'choose' })),
  fixture('mfa-enrol-email', PATH, enrol({})),
  fixture('mfa-enrol-email-sent', PATH, enrol({ setup: SENT })),
  fixture('manage-email', REGISTER, setUp(NAME)),
  fixture('manage-email-sent', REGISTER, setUp(NAME, { setup: SENT })),
  fixture('manage-email-wrong', REGISTER, setUp(NAME, { setup: SENT, error: 'invalid verification code' })),
  fixture('manage-email-no-address', REGISTER, setUp(NAME, { error: 'no e-mail address' })),
  fixture('manage-email-limited', REGISTER, setUp(NAME, { error: 'too many requests', retry_after: 1200 })),
  fixture('manage-mfa-email', PATHS.manageMfa, overview([APP, keys(), ACTIVE])),
  fixture('manage-mfa-email-off', PATHS.manageMfa, overview([APP, keys(), NOT_SET_UP])),
  fixture('manage-confirm-email', PATHS.manageConfirm, proof(ASKED)),
  fixture('manage-confirm-email-sent', PATHS.manageConfirm, proof(SENT)),
  fixture('manage-confirm-email-wrong', PATHS.manageConfirm, proof(SENT, { error: 'invalid verification code' })),
];
