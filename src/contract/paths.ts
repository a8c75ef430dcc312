/**
 * The paths of pages, forms and redirects, and the page that each path shows (the route table of the specification, section 2).
 * `factor-paths.ts` builds the paths of the kinds of factors; `INVITATION_PATH` is in `registration-state.ts`.
 */
import type { PageName } from './page-state.js';

export const PATHS = {
  login: '/login',
  loginNative: '/login/native',
  loginPasskey: '/login/passkey',
  loginProceed: '/login/proceed',
  /** What a person has to do between a proof and the app. */
  loginTask: '/login/task',
  /** Asks for a username, mails a code to its account, and accepts the code. */
  loginCode: '/login/code',
  providerAccount: '/account',
  consent: '/consent',
  consentAccept: '/consent/accept',
  consentReject: '/consent/reject',
  /** Where the code of a device is entered (RFC 8628, section 3.3). */
  device: '/device',
  deviceSuccess: '/device/success',
  /** Shown when the device received no access. */
  deviceDenied: '/device/denied',
  logout: '/logout',
  logoutAccept: '/logout/accept',
  logoutReject: '/logout/reject',
  logoutCallback: '/logout/callback',
  register: '/register',
  registerCallback: '/register/callback',
  /** The form for the details of a new account. */
  registerDetails: '/register/details',
  /** Accepts the code that was mailed to the address. */
  registerCode: '/register/code',
  /** Mails another code. */
  registerCodeAgain: '/register/code/again',
  /** Creates the account with its password or passkey, or applies for it. */
  registerPassword: '/register/password',
  mfaVerify: '/mfa/verify',
  /** Creates the passkey that was offered, or continues without one. */
  passkeyOffer: '/passkey/offer',
  /** Continues without a passkey, and never offers one to this account again. */
  passkeyRefuse: '/passkey/refuse',
  manage: '/manage',
  manageMfa: '/manage/mfa',
  manageRecoveryCodes: '/manage/mfa/recovery-codes',
  /** Confirms that the person has seen the new codes. */
  manageRecoveryCodesSeen: '/manage/mfa/recovery-codes/seen',
  /** Ends the trust in one browser, or in all of them. */
  manageTrustedBrowsers: '/manage/mfa/trusted-browsers',
  /** Lists the apps with access to the account. A POST removes the access of one app, or of all. */
  manageApps: '/manage/apps',
  /** Removes individual scopes of an app. */
  manageAppScopes: '/manage/apps/scopes',
  /** Lists the browsers in which the person is signed in. A POST signs the person out in one of them, or in all others. */
  manageDevices: '/manage/devices',
  /** Like `manageTrustedBrowsers`, but returns to the list of devices. */
  manageDeviceTrust: '/manage/devices/trusted-browsers',
  /** Explains the deletion of the account. A POST begins the wait for it. */
  manageDeletion: '/manage/deletion',
  /** Cancels the deletion. */
  manageDeletionCancel: '/manage/deletion/cancel',
  /** Lists the latest security events of the account. */
  manageActivity: '/manage/activity',
  /** A POST downloads the data that is stored about the person or, with `WITHDRAW_QUERY`, withdraws an acceptance of terms. */
  manageData: '/manage/data',
  managePassword: '/manage/credentials/password',
  manageUsername: '/manage/credentials/username',
  manageEmail: '/manage/credentials/email',
  /** Accepts the code that was mailed to the new address. */
  manageEmailCode: '/manage/credentials/email/code',
  manageConfirm: '/manage/confirm',
  manageSwitch: '/manage/switch',
  /** Followed by a provider and an action. */
  manageOauth: '/manage/oauth',
  manageLogout: '/manage/logout',
  passwordRequestForm: '/password-reset/request-form',
  passwordRequest: '/password-reset/request',
  passwordRequestStatus: '/password-reset/request-status',
  passwordResetForm: '/password-reset/reset-form',
  passwordReset: '/password-reset/reset',
  passwordResetStatus: '/password-reset/reset-status',
  mfaResetForm: '/mfa-reset/reset-form',
  mfaReset: '/mfa-reset/reset',
  mfaResetStatus: '/mfa-reset/reset-status',
  /** "That was not me": the link in a notice, and its form. */
  notMe: '/not-me',
  notMeStatus: '/not-me/status',
  /** The link in the mail about a requested deletion, and its form. */
  keepAccount: '/keep-account',
  keepAccountStatus: '/keep-account/status',
  /** The link in the mail about a change that somebody requested at the help desk, and its form. */
  stopChange: '/stop-change',
  stopChangeStatus: '/stop-change/status',
  /** For a person who has called the help desk and cannot sign in: asks for a code by e-mail. */
  support: '/support',
  /** Accepts the code. */
  supportCode: '/support/code',
  /** Shows the words to read out to the help desk. */
  supportWords: '/support/words',
  /** Closes the page in this browser. */
  supportEnd: '/support/end',
  /** Followed by the code of the error. */
  manageError: '/manage/error/',
  manageRpc: '/api/v1/rpc/user/manage',
  error: '/error',
} as const;

/** The path at Hydra that redirects to the page on which people enter the code of a device (RFC 8628, section 3.3). */
export const DEVICE_VERIFICATION_PATH = '/oauth2/device/verify';

/** Paths that no page uses. They are listed separately, so that they are not loaded into the browser. */
export const SERVER_PATHS = {
  home: '/',
  /** Appended to `/login/{provider}`. */
  providerCallback: '/callback',
  /** Keys that verify the tickets of the registration service. */
  registerKeys: '/register/jwks',
  sourceKeys: '/sources/jwks',
  /** Related origins, which may use passkeys of this origin (WebAuthn Level 3, section 5.11). */
  relatedOrigins: '/.well-known/webauthn',
  /** For password managers (W3C, A Well-Known URL for Changing Passwords). */
  changePassword: '/.well-known/change-password',
  /** For password managers (W3C, Passkey Endpoints Well-Known URL). */
  passkeyEndpoints: '/.well-known/passkey-endpoints',
  mfaVerifyTotp: '/mfa/verify-totp',
  mfaInitFido2: '/mfa/init-fido2',
  mfaVerifyFido2: '/mfa/verify-fido2',
  /** Plain forms for a set-up during a sign-in, for browsers without script. */
  mfaEnrolTotp: '/mfa/enrol-totp',
  manageRegisterTotp: '/manage/mfa/register-totp',
  manageRegisterFido2: '/manage/mfa/register-fido2',
  /** Replaces the existing authenticator app in one step. */
  manageReplaceTotp: '/manage/mfa/replace-totp',
  manageReplaceFido2: '/manage/mfa/replace-fido2',
  manageRemoveTotp: '/manage/mfa/remove-totp',
  manageRemoveFido2: '/manage/mfa/remove-fido2',
  manageRenameFido2: '/manage/mfa/rename-fido2',
  healthLive: '/health/live',
  healthReady: '/health/ready',
  assets: '/assets/',
} as const;

type Paths = readonly (string | RegExp)[];

const PROVIDER_PATH = /^\/login\/[a-z\d-]+(?:\/callback|\/account)?$/;
const LOGIN: Paths = [PATHS.login, PATHS.loginNative, PATHS.loginPasskey, PATHS.loginProceed];
const PASSKEY_OFFER: Paths = [PATHS.passkeyOffer, PATHS.passkeyRefuse];

const FACTOR_SETUP = /^\/manage\/mfa\/(?:register|replace)-[a-z\d-]+$/;

const MANAGE_PATHS = {
  manage: [PATHS.manage, /^\/manage\/oauth\/[a-z\d-]+\/(?:dis)?connect$/],
  manage_mfa: [/^\/manage\/mfa(?:\/(?:remove|rename)-[a-z\d-]+)?$/],
  manage_factor: [FACTOR_SETUP],
  // The set-up of the first factor also shows new recovery codes.
  manage_recovery_codes: [PATHS.manageRecoveryCodes, FACTOR_SETUP],
  manage_apps: [PATHS.manageApps, PATHS.manageAppScopes],
  manage_data: [PATHS.manageData],
  manage_devices: [PATHS.manageDevices, PATHS.manageDeviceTrust],
  manage_activity: [PATHS.manageActivity],
  manage_deletion: [PATHS.manageDeletion, PATHS.manageDeletionCancel],
  manage_password: [PATHS.managePassword],
  manage_username: [PATHS.manageUsername],
  manage_email: [PATHS.manageEmail, PATHS.manageEmailCode],
} as const satisfies Partial<Record<PageName, Paths>>;

/**
 * The paths that show a page. If several pages have the same path, the page with a state is shown, or else the first one.
 * `server_error` is shown at all other paths, and replaces any page (GEN-3, GEN-4).
 */
export const PAGE_PATHS: Readonly<Record<PageName, Paths>> = {
  passkey_offer: PASSKEY_OFFER,
  login: [...LOGIN, PROVIDER_PATH],
  accounts: [PROVIDER_PATH],
  login_hint: LOGIN,
  mailed_code: [PATHS.loginCode],
  consent: [PATHS.consent, PATHS.consentAccept, PATHS.consentReject],
  device: [PATHS.device],
  device_end: [PATHS.deviceSuccess, PATHS.deviceDenied],
  logout: [PATHS.logout, PATHS.logoutAccept, PATHS.logoutReject, PATHS.logoutCallback],
  registration: [/^\/register\/./],
  oauth_error: [PATHS.error],
  server_error: [],
  task: [PATHS.loginTask],
  mfa_verification: [/^\/mfa\/(?:verify|enrol-[a-z\d-]+)$/],
  ...MANAGE_PATHS,
  // This page replaces any page of the account area that needs a fresh proof.
  manage_confirm: [PATHS.manageConfirm, ...Object.values(MANAGE_PATHS).flat()],
  // This page replaces the overview.
  manage_switch: [PATHS.manage],
  manage_error: [/^\/manage\/error\//],
  password_request_form: [PATHS.passwordRequestForm, PATHS.passwordRequest],
  password_request_status: [PATHS.passwordRequestStatus],
  password_reset_form: [PATHS.passwordResetForm, PATHS.passwordReset],
  password_reset_status: [PATHS.passwordResetStatus, PATHS.passwordResetForm, PATHS.passwordReset],
  mfa_reset_form: [PATHS.mfaResetForm, PATHS.mfaReset],
  mfa_reset_status: [PATHS.mfaResetStatus, PATHS.mfaResetForm, PATHS.mfaReset],
  not_me: [PATHS.notMe, PATHS.notMeStatus],
  keep_account: [PATHS.keepAccount, PATHS.keepAccountStatus],
  stop_change: [PATHS.stopChange, PATHS.stopChangeStatus],
  support: [PATHS.support, PATHS.supportCode, PATHS.supportWords, PATHS.supportEnd],
};

export const PAGE_NAMES = Object.keys(PAGE_PATHS) as readonly PageName[];
