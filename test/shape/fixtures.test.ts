/**
 * Checks that every page and every value that changes a page has a fixture. The records below list all values of a type, so a new
 * value does not compile until it is listed here, and this test fails until a fixture shows it.
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
  MailedCodeState,
  ConsentState,
  FooterLink,
  LoginHintState,
  LoginState,
  LogoutState,
  PageName,
  PageState,
  RegistrationResultState,
  ServerErrorState,
} from '../../src/contract/page-state.js';
import type {
  AnnouncedChangeState,
  KeepAccountState,
  MfaResetFormState,
  MfaResetStatusState,
  NotMeState,
  PasswordRequestFormState,
  PasswordRequestStatusState,
  PasswordResetFormState,
  PasswordResetStatusState,
  StopChangeState,
  SupportState,
} from '../../src/contract/reset-state.js';
import type { PasswordTaskState, TaskState } from '../../src/contract/task-state.js';
import type { RegistrationFieldFault, RegistrationStepState } from '../../src/contract/registration-state.js';
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
  connect: true,
};
const HINT_ERRORS: AllOf<NonNullable<LoginHintState['error']>> = { challenge: true };
const CONSENT_ERRORS: AllOf<NonNullable<ConsentState['error']>> = { failed: true, 'invalid-scope-requested': true };
const DEVICE_ERRORS: AllOf<NonNullable<DeviceCodeState['error']>> = { challenge: true, code: true, empty: true, limited: true };
const DEVICE_RESULTS: AllOf<DeviceEndState['status']> = { success: true, denied: true, unmet: true, failed: true };
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

const toRecord = (names: readonly string[]): Record<string, true> => Object.fromEntries(names.map((name) => [name, true]));

const NAMES = KINDS.map(({ name }) => name);
const ENROLLED = KINDS.filter(isSecondFactor).map(({ name }) => name);
const MFA_VIEWS = toRecord([
  'choose',
  'enrol',
  'codes',
  ...PROOF_KINDS.map(({ name }) => name),
  ...ENROLLED.map((name) => `enrol-${name}`),
]);
/** The errors that the second step shows itself. One table has the words for the error codes of RPC calls. */
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
const METHODS = toRecord(['password', 'mail', ...NAMES]);
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
const STOP_CHANGE: AllOf<StopChangeState['status']> = {
  ask: true,
  success: true,
  used: true,
  done: true,
  ended: true,
  'error-token': true,
  error: true,
};
const ANNOUNCED: AllOf<AnnouncedChangeState['kind']> = {
  factors: true,
  factor: true,
  password: true,
  address: true,
  'no-address': true,
  source: true,
  other: true,
};
const TASKS: AllOf<TaskState['kind']> = { terms: true, password: true, email: true, fields: true, none: true };
const TASK_REASONS: AllOf<PasswordTaskState['required_by']> = { operator: true, breached: true };
const TASK_ERRORS: AllOf<NonNullable<TaskState['error']>> = {
  'empty-password': true,
  'empty-password-repeat': true,
  'passwords-not-equal': true,
  'password-strength': true,
  same: true,
  busy: true,
  frozen: true,
  'email is empty': true,
  'email is invalid': true,
  'email not available': true,
  'invalid verification code': true,
  'session expired': true,
  'too many requests': true,
  'credentials frozen': true,
  fields: true,
  'not-accepted': true,
  changed: true,
  stale: true,
};
const MAILED_CODE: AllOf<MailedCodeState['status']> = { ask: true, code: true, 'not-enough': true };
const MAILED_CODE_ERRORS: AllOf<NonNullable<Extract<MailedCodeState, { error: unknown }>['error']>> = {
  'empty-username': true,
  limited: true,
  stale: true,
  ended: true,
  busy: true,
  'invalid verification code': true,
};
const SUPPORT: AllOf<SupportState['status']> = { ask: true, code: true, words: true, ended: true };
const SUPPORT_ERRORS: AllOf<NonNullable<Extract<SupportState, { error: unknown }>['error']>> = {
  'empty-username': true,
  limited: true,
  stale: true,
  'invalid verification code': true,
};
const SIGN_UP_STEPS: AllOf<RegistrationStepState['status']> = {
  details: true,
  code: true,
  password: true,
  exists: true,
  waits: true,
};
const SIGN_UP_ERRORS: AllOf<NonNullable<Extract<RegistrationStepState, { error: unknown }>['error']>> = {
  fields: true,
  limited: true,
  stale: true,
  'invalid verification code': true,
  'used-up': true,
  expired: true,
  'empty-password': true,
  'empty-password-repeat': true,
  'passwords-not-equal': true,
  'password-strength': true,
  passkey: true,
  work: true,
  busy: true,
  full: true,
};
const SIGN_UP_FAULTS: AllOf<RegistrationFieldFault> = {
  missing: true,
  format: true,
  characters: true,
  'too-short': true,
  'too-long': true,
  reserved: true,
  taken: true,
  domain: true,
  source: true,
};
const REGISTRATION_STATUSES: AllOf<RegistrationResultState['status']> = {
  success: true,
  'error-token': true,
  error: true,
  'invitation-used': true,
  'invitation-ended': true,
  'invitation-exists': true,
};
const MANAGE_ERRORS = { page_not_found: true, unauthorized: true } as const;

const STATES = FIXTURES.map((fixture) => fixture.state('en'));

/** @returns the values that the states of one page contain */
function listValues<Page extends PageName>(page: Page, read: (state: Extract<PageState, { page: Page }>) => unknown): unknown[] {
  return STATES.filter((state): state is Extract<PageState, { page: Page }> => state.page === page).flatMap(read);
}

const listLoginValues = (read: (state: LoginState) => unknown) => listValues('login', (state) => read(state.login));
const listHintValues = (read: (state: LoginHintState) => unknown) => listValues('login_hint', (state) => read(state.login_hint));
const listMfaValues = (read: (state: MfaVerificationState) => unknown) =>
  listValues('mfa_verification', (state) => read(state.mfa_verification));
const listConsentValues = (read: (state: ConsentState) => unknown) => listValues('consent', (state) => read(state.consent));

describe('fixtures', () => {
  it.each<[string, Record<string, true>, unknown[]]>([
    ['pages', PAGES, STATES.map((state) => state.page)],
    ['login errors', LOGIN_ERRORS, listLoginValues((state) => state.error)],
    ['faults of a login challenge', FAULTS, listLoginValues((state) => state.challenge_fault)],
    ['settings of "Stay signed in"', REMEMBER, listLoginValues((state) => state.remember)],
    ['missing fields', MISSING, listLoginValues((state) => state.missing)],
    ['login hint errors', HINT_ERRORS, listHintValues((state) => state.error)],
    ['faults of a hint challenge', FAULTS, listHintValues((state) => state.challenge_fault)],
    ['consent errors', CONSENT_ERRORS, listConsentValues((state) => state.error)],
    ['faults of a consent challenge', FAULTS, listConsentValues((state) => state.challenge_fault)],
    ['errors of the code of a device', DEVICE_ERRORS, listValues('device', (state) => state.device.error)],
    ['faults of the challenge of a device', FAULTS, listValues('device', (state) => state.device.challenge_fault)],
    ['results of a device request', DEVICE_RESULTS, listValues('device_end', (state) => state.device_end.status)],
    ['logout statuses', LOGOUT_STATUSES, listValues('logout', (state) => state.logout.status)],
    ['server errors', SERVER_CODES, listValues('server_error', (state) => state.server_error.code)],
    ['views of the second step', MFA_VIEWS, listMfaValues((state) => state.view)],
    ['errors of the second step', MFA_ERRORS, listMfaValues((state) => state.error)],
    ['faults of a challenge at the second step', FAULTS, listMfaValues((state) => state.challenge_fault)],
    ['reasons for a second factor', WANTED_BY, listMfaValues((state) => state.wanted_by)],
    ['tasks at sign-in', TASKS, listValues('task', (state) => state.task.kind)],
    ['errors of a task', TASK_ERRORS, listValues('task', (state) => state.task.error)],
    [
      'reasons for a new password',
      TASK_REASONS,
      listValues('task', ({ task: shown }) => 'required_by' in shown && shown.required_by),
    ],
    ['statuses of the account area', STATUSES, listValues('manage', (state) => state.manage.status)],
    ['protections of an account', toRecord(MANAGE_PROTECTIONS), listValues('manage', (state) => state.manage.protection)],
    ['methods of a fresh proof', METHODS, listValues('manage_confirm', (state) => state.manage_confirm.method)],
    ['kinds of factor that are set up', toRecord(NAMES), listValues('manage_factor', (state) => state.manage_factor.factor)],
    ['errors of the account area', MANAGE_ERRORS, listValues('manage_error', (state) => state.manage_error.code)],
    [
      'errors of a request for a new password',
      REQUEST_ERRORS,
      listValues('password_request_form', (state) => state.password_request_form.error),
    ],
    [
      'results of a request for a new password',
      REQUEST_STATUSES,
      listValues('password_request_status', (state) => state.password_request_status.status),
    ],
    ['errors of a new password', RESET_ERRORS, listValues('password_reset_form', (state) => state.password_reset_form.error)],
    [
      'results of a password reset',
      RESET_STATUSES,
      listValues('password_reset_status', (state) => state.password_reset_status.status),
    ],
    ['errors of a factor reset', MFA_RESET_ERRORS, listValues('mfa_reset_form', (state) => state.mfa_reset_form.error)],
    ['results of a factor reset', MFA_RESET_STATUSES, listValues('mfa_reset_status', (state) => state.mfa_reset_status.status)],
    ['steps of "not me"', NOT_ME, listValues('not_me', (state) => state.not_me.status)],
    ['steps of "stop this"', STOP_CHANGE, listValues('stop_change', (state) => state.stop_change.status)],
    [
      'changes that "stop this" can stop',
      ANNOUNCED,
      listValues('stop_change', ({ stop_change: shown }) => ('change' in shown ? shown.change.kind : [])),
    ],
    ['steps of the sign-in with a code', MAILED_CODE, listValues('mailed_code', (state) => state.mailed_code.status)],
    [
      'errors of the sign-in with a code',
      MAILED_CODE_ERRORS,
      listValues('mailed_code', (state) => 'error' in state.mailed_code && state.mailed_code.error),
    ],
    ['steps of the page for the help desk', SUPPORT, listValues('support', (state) => state.support.status)],
    [
      'errors of the page for the help desk',
      SUPPORT_ERRORS,
      listValues('support', (state) => 'error' in state.support && state.support.error),
    ],
    ['steps of "keep my account"', KEEP_ACCOUNT, listValues('keep_account', (state) => state.keep_account.status)],
    [
      'security events',
      toRecord(ACTIVITIES),
      listValues('manage_activity', (state) => state.manage_activity.entries.map(({ activity }) => activity)),
    ],
    ['steps of a sign-up', SIGN_UP_STEPS, listValues('registration', (state) => state.registration.status)],
    [
      'errors of a sign-up',
      SIGN_UP_ERRORS,
      listValues('registration', (state) => 'error' in state.registration && state.registration.error),
    ],
    [
      'faults of the fields of a sign-up',
      SIGN_UP_FAULTS,
      listValues('registration', ({ registration }) =>
        registration.status === 'details' ? registration.fields.map(({ error }) => error) : undefined,
      ),
    ],
    ['results of a registration', REGISTRATION_STATUSES, listValues('registration', (state) => state.registration.status)],
    ['footer links', FOOTER, STATES.flatMap((state) => state.app.footer_links.map((link) => link.id))],
  ])('show all %s', (_name, all, shown) => {
    expect(Object.keys(all).filter((value) => !shown.includes(value))).toEqual([]);
  });

  it('show every page that can have an error also without an error', () => {
    for (const errors of [
      listLoginValues((state) => state.error),
      listHintValues((state) => state.error),
      listConsentValues((state) => state.error),
    ]) {
      expect(errors).toContain(null);
    }
  });

  it('have unique names', () => {
    const names = FIXTURES.map((fixture) => fixture.name);
    expect(names).toEqual([...new Set(names)]);
  });

  it.each(FIXTURES)('[GEN-2] have a path that belongs to the page ($name)', (fixture) => {
    for (const locale of SHIPPED.locales) {
      const state = fixture.state(locale);
      expect(screenFor(fixture.path, state)).toBe(state.page);
      expect(state.locale).toBe(locale);
      expect(JSON.parse(JSON.stringify(state))).toEqual(state);
    }
  });
});
