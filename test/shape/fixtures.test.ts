/**
 * Every page and every value that changes a page has a fixture. The records below name all values of a type, so a new
 * one does not compile until it is listed, and does not pass until it can be looked at.
 */
import { describe, expect, it } from '@jest/globals';
import { ACTIVITIES } from '../../src/contract/manage-data-state.js';
import type { DeviceEndState, DeviceCodeState } from '../../src/contract/device-state.js';
import { MANAGE_PROTECTIONS } from '../../src/contract/manage-protection.js';
import { MANAGE_STATUSES } from '../../src/contract/manage-state.js';
import { SHIPPED } from '../../locales/languages.js';
import type { MfaVerificationState } from '../../src/contract/mfa-state.js';
import { PAGE_NAMES } from '../../src/contract/paths.js';
import { screenFor } from '../../src/contract/screen-for.js';
import type {
  ChallengeFault,
  ConsentState,
  FooterLink,
  LoginHintState,
  LoginState,
  LogoutState,
  PageName,
  PageState,
  RegistrationState,
  ServerErrorState,
} from '../../src/contract/page-state.js';
import type {
  KeepAccountState,
  MfaResetFormState,
  MfaResetStatusState,
  NotMeState,
  PasswordRequestFormState,
  PasswordRequestStatusState,
  PasswordResetFormState,
  PasswordResetStatusState,
} from '../../src/contract/reset-state.js';
import { isSecondFactor } from '../../src/mfa/held-factors.js';
import { KINDS, PROOF_KINDS } from '../../src/mfa/registry.js';
import { FIXTURES } from '../../web/fixtures/index.js';

type AllOf<Value extends string> = Record<Value, true>;

const PAGES = Object.fromEntries(PAGE_NAMES.map((page) => [page, true as const]));
const LOGIN_ERRORS: AllOf<NonNullable<LoginState['error']>> = {
  challenge: true,
  credentials: true,
  limited: true,
  busy: true,
  stale: true,
  passkey: true,
  'passkey-unknown': true,
  'passkey-stale': true,
  'provider-refused': true,
  'own-proof': true,
  'new-proof': true,
  'earlier-session': true,
  'provider-down': true,
  cancelled: true,
};
const HINT_ERRORS: AllOf<NonNullable<LoginHintState['error']>> = { challenge: true };
const CONSENT_ERRORS: AllOf<NonNullable<ConsentState['error']>> = { failed: true, 'invalid-scope-requested': true };
const DEVICE_ERRORS: AllOf<NonNullable<DeviceCodeState['error']>> = { challenge: true, code: true, empty: true, limited: true };
const DEVICE_ENDS: AllOf<DeviceEndState['status']> = { success: true, denied: true, unmet: true, failed: true };
const FAULTS: AllOf<ChallengeFault> = { missing: true, expired: true, used: true, foreign: true, 'no-cookies': true };
const REMEMBER: AllOf<LoginState['remember']> = { ask: true, fixed: true };
const MISSING: AllOf<LoginState['missing'][number]> = { username: true, password: true };
const LOGOUT_STATUSES: AllOf<LogoutState['status']> = { pending: true, accepted: true, rejected: true, failed: true };
const FOOTER: AllOf<FooterLink['id']> = { imprint: true, privacy: true, terms: true, sfdr: true };
const SERVER_CODES: AllOf<ServerErrorState['code']> = {
  bad_request: true,
  unauthorized: true,
  forbidden: true,
  page_not_found: true,
  method_not_allowed: true,
  too_large: true,
  unsupported: true,
  app_settings: true,
  limited: true,
  internal: true,
  unavailable: true,
  source_unavailable: true,
  password_change: true,
  not_allowed: true,
  not_admitted: true,
  no_account: true,
};

const every = (names: readonly string[]): Record<string, true> => Object.fromEntries(names.map((name) => [name, true]));

const NAMES = KINDS.map(({ name }) => name);
const ENROLLED = KINDS.filter(isSecondFactor).map(({ name }) => name);
const MFA_VIEWS = every([
  'choose',
  'enrol',
  'codes',
  ...PROOF_KINDS.map(({ name }) => name),
  ...ENROLLED.map((name) => `enrol-${name}`),
]);
/** What the step says itself; the codes of calls are worded by one table. */
const MFA_ERRORS = {
  challenge: true,
  limited: true,
  closed: true,
  'invalid verification code': true,
  'fido2 failed': true,
  'passkey failed': true,
} as const;
const WANTED_BY: AllOf<MfaVerificationState['wanted_by']> = { account: true, client: true, installation: true };
const STATUSES = Object.fromEntries(MANAGE_STATUSES.map((status) => [status, true as const]));
const METHODS = every(['password', 'mail', ...NAMES]);
const REQUEST_ERRORS: AllOf<NonNullable<PasswordRequestFormState['error']>> = {
  'empty-username': true,
  limited: true,
  stale: true,
};
const REQUEST_STATUSES: AllOf<PasswordRequestStatusState['status']> = { success: true, error: true };
const RESET_ERRORS: AllOf<NonNullable<PasswordResetFormState['error']>> = {
  'empty-password': true,
  'empty-password-repeat': true,
  'passwords-not-equal': true,
  'password-strength': true,
  busy: true,
  stale: true,
};
const RESET_STATUSES: AllOf<PasswordResetStatusState['status']> = { success: true, 'error-token': true, error: true };
const MFA_RESET_ERRORS: AllOf<NonNullable<MfaResetFormState['error']>> = { password: true, limited: true, stale: true };
const MFA_RESET_STATUSES: AllOf<MfaResetStatusState['status']> = { success: true, 'error-token': true, error: true };
const NOT_ME: AllOf<NotMeState['status']> = { ask: true, success: true, used: true, 'error-token': true, error: true };
const KEEP_ACCOUNT: AllOf<KeepAccountState['status']> = { ask: true, success: true, 'error-token': true, error: true };
const REGISTRATION_STATUSES: AllOf<RegistrationState['status']> = { success: true, 'error-token': true, error: true };
const MANAGE_ERRORS = { page_not_found: true, unauthorized: true } as const;

const STATES = FIXTURES.map((fixture) => fixture.state('en'));

/** What the states of one page hold, and nothing for the others. */
function toValues<Page extends PageName>(page: Page, read: (state: Extract<PageState, { page: Page }>) => unknown): unknown[] {
  return STATES.filter((state): state is Extract<PageState, { page: Page }> => state.page === page).flatMap(read);
}

const login = (read: (state: LoginState) => unknown) => toValues('login', (state) => read(state.login));
const hint = (read: (state: LoginHintState) => unknown) => toValues('login_hint', (state) => read(state.login_hint));
const mfa = (read: (state: MfaVerificationState) => unknown) =>
  toValues('mfa_verification', (state) => read(state.mfa_verification));
const consent = (read: (state: ConsentState) => unknown) => toValues('consent', (state) => read(state.consent));

describe('fixtures', () => {
  it.each<[string, Record<string, true>, unknown[]]>([
    ['pages', PAGES, STATES.map((state) => state.page)],
    ['login errors', LOGIN_ERRORS, login((state) => state.error)],
    ['faults of a login challenge', FAULTS, login((state) => state.challenge_fault)],
    ['ways to stay signed in', REMEMBER, login((state) => state.remember)],
    ['missing fields', MISSING, login((state) => state.missing)],
    ['login hint errors', HINT_ERRORS, hint((state) => state.error)],
    ['faults of a hint challenge', FAULTS, hint((state) => state.challenge_fault)],
    ['consent errors', CONSENT_ERRORS, consent((state) => state.error)],
    ['faults of a consent challenge', FAULTS, consent((state) => state.challenge_fault)],
    ['errors of the code of a device', DEVICE_ERRORS, toValues('device', (state) => state.device.error)],
    ['faults of the challenge of a device', FAULTS, toValues('device', (state) => state.device.challenge_fault)],
    ['ends of the access of a device', DEVICE_ENDS, toValues('device_end', (state) => state.device_end.status)],
    ['logout statuses', LOGOUT_STATUSES, toValues('logout', (state) => state.logout.status)],
    ['server errors', SERVER_CODES, toValues('server_error', (state) => state.server_error.code)],
    ['views of the second step', MFA_VIEWS, mfa((state) => state.view)],
    ['errors of the second step', MFA_ERRORS, mfa((state) => state.error)],
    ['faults of a challenge at the second step', FAULTS, mfa((state) => state.challenge_fault)],
    ['reasons for a second factor', WANTED_BY, mfa((state) => state.wanted_by)],
    ['statuses of the area', STATUSES, toValues('manage', (state) => state.manage.status)],
    ['protections of an account', every(MANAGE_PROTECTIONS), toValues('manage', (state) => state.manage.protection)],
    ['ways of a fresh proof', METHODS, toValues('manage_confirm', (state) => state.manage_confirm.method)],
    ['kinds of factor that are set up', every(NAMES), toValues('manage_factor', (state) => state.manage_factor.factor)],
    ['errors of the account area', MANAGE_ERRORS, toValues('manage_error', (state) => state.manage_error.code)],
    [
      'errors of a wish for a password',
      REQUEST_ERRORS,
      toValues('password_request_form', (state) => state.password_request_form.error),
    ],
    [
      'ends of a wish for a password',
      REQUEST_STATUSES,
      toValues('password_request_status', (state) => state.password_request_status.status),
    ],
    ['errors of a new password', RESET_ERRORS, toValues('password_reset_form', (state) => state.password_reset_form.error)],
    [
      'ends of a password reset',
      RESET_STATUSES,
      toValues('password_reset_status', (state) => state.password_reset_status.status),
    ],
    ['errors of a factor reset', MFA_RESET_ERRORS, toValues('mfa_reset_form', (state) => state.mfa_reset_form.error)],
    ['ends of a factor reset', MFA_RESET_STATUSES, toValues('mfa_reset_status', (state) => state.mfa_reset_status.status)],
    ['steps of "not me"', NOT_ME, toValues('not_me', (state) => state.not_me.status)],
    ['steps of "keep my account"', KEEP_ACCOUNT, toValues('keep_account', (state) => state.keep_account.status)],
    [
      'security events',
      every(ACTIVITIES),
      toValues('manage_activity', (state) => state.manage_activity.entries.map(({ activity }) => activity)),
    ],
    ['ends of a registration', REGISTRATION_STATUSES, toValues('registration', (state) => state.registration.status)],
    ['footer links', FOOTER, STATES.flatMap((state) => state.app.footer_links.map((link) => link.id))],
  ])('show all %s', (_what, all, shown) => {
    expect(Object.keys(all).filter((value) => !shown.includes(value))).toEqual([]);
  });

  it('show a page without error for each page that can have one', () => {
    for (const errors of [login((state) => state.error), hint((state) => state.error), consent((state) => state.error)]) {
      expect(errors).toContain(null);
    }
  });

  it('have names of their own', () => {
    const names = FIXTURES.map((fixture) => fixture.name);
    expect(names).toEqual([...new Set(names)]);
  });

  it.each(FIXTURES)('[GEN-2] $name: its path leads to its page', (fixture) => {
    for (const locale of SHIPPED.locales) {
      const state = fixture.state(locale);
      expect(screenFor(fixture.path, state)).toBe(state.page);
      expect(state.locale).toBe(locale);
      expect(JSON.parse(JSON.stringify(state))).toEqual(state);
    }
  });
});
