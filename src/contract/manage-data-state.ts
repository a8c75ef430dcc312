/** States of the pages about data, deletion and security events of the account, and the list of all pages of the account area. */
import type {
  ManageAppsState,
  ManageConfirmState,
  ManageDevicesState,
  ManageEmailState,
  ManageErrorState,
  ManageFactorState,
  ManageMfaState,
  ManagePasswordState,
  ManageRecoveryCodesState,
  ManageState,
  ManageSwitchState,
  ManageUsernameState,
} from './manage-state.js';
import type { RpcErrorCode } from './rpc.js';

export interface ManageDataState {
  error: RpcErrorCode | null;
  retry_after?: number;
  /** The newest acceptances of terms. */
  terms: readonly AcceptedTermsState[];
}

export interface AcceptedTermsState {
  /** Id of the terms in the settings. */
  id: string;
  version: string;
  /** The text as the person saw it; the first line is the title. */
  text: string;
  language: string;
  /** ISO 8601, UTC. */
  accepted_at: string;
  withdrawn_at: string | null;
}

/** Query of `PATHS.manageData` for the form that withdraws an acceptance. */
export const WITHDRAW_QUERY = '?decision=withdraw';

export interface ManageDeletionState {
  error: RpcErrorCode | null;
  /** When the account will be deleted: ISO 8601, UTC. Null if no deletion is planned. */
  due_at: string | null;
  /** Days from the request to the deletion. */
  wait_days: number;
  /** Whether mails about the deletion are sent, because the account has an address. */
  is_mailed: boolean;
  /** The account comes from a user source or a provider, so the next sign-in creates a new account for the person. */
  comes_back?: true;
  retry_after?: number;
}

/** `GET /deletion` and `POST /deletion`. */
export type DeletionAnswer = Pick<ManageDeletionState, 'due_at' | 'wait_days'>;

/** Names of security events, in groups. Several kinds of the audit log may have the same name. */
export const ACTIVITY_GROUPS = {
  'sign-ins': ['signed-in', 'continued', 'code-used', 'signed-out'],
  changes: [
    'app-granted',
    'app-narrowed',
    'app-removed',
    'sessions-ended',
    'device-ended',
    'account-created',
    'account-changed',
    'email-changed',
    'email-confirmed',
    'account-disabled',
    'account-enabled',
    'account-secured',
    'account-unfrozen',
    'account-unlocked',
    'rights-granted',
    'rights-revoked',
    'data-downloaded',
    'deletion-requested',
    'deletion-cancelled',
    'password-changed',
    'password-required',
    'password-link',
    'sign-in-code',
    'change-asked',
    'change-stopped',
    'support-check-passed',
    'support-check-refused',
    'support-page-opened',
    'username-changed',
    'factor-added',
    'factor-removed',
    'factor-renamed',
    'factors-reset',
    'factor-reset-issued',
    'provider-connected',
    'provider-disconnected',
    'source-connected',
    'source-disconnected',
    'codes-made',
    'trust-ended',
    'terms-accepted',
    'terms-withdrawn',
  ],
  refused: [
    'password-wrong',
    'sign-in-code-wrong',
    'password-limited',
    'factor-wrong',
    'factor-limited',
    'provider-refused',
    'source-refused',
    'token-misused',
  ],
} as const;

export type ActivityGroup = keyof typeof ACTIVITY_GROUPS;

export type Activity = (typeof ACTIVITY_GROUPS)[ActivityGroup][number];

export const ACTIVITIES: readonly Activity[] = Object.values(ACTIVITY_GROUPS).flat();

export function findActivityGroup(activity: Activity): ActivityGroup {
  const groups = Object.keys(ACTIVITY_GROUPS) as ActivityGroup[];
  return groups.find((group) => (ACTIVITY_GROUPS[group] as readonly Activity[]).includes(activity)) ?? 'changes';
}

export function isActivityGroup(value: unknown): value is ActivityGroup {
  return typeof value === 'string' && Object.hasOwn(ACTIVITY_GROUPS, value);
}

/** A security event of the account. */
export interface ActivityState {
  id: string;
  activity: Activity;
  /** ISO 8601, UTC. */
  at: string;
  /** An operator caused the event. */
  by_operator?: true;
  /** Browser and system. */
  browser?: string;
  /** The shortened address of the request. */
  network?: string;
  /** The request for this page comes from the same network. */
  is_this_network?: true;
  /** Name of a kind of second factor, `passkey` or `recovery`. */
  factor?: string;
  /** For a sign-in: how the person was authenticated, as in the ID token. */
  amr?: string[];
  /**
   * Name or id of a provider, name or `client_id` of an app, or browser and system of a device that was signed out. Untrusted
   * text.
   */
  about?: string;
}

export interface ManageActivityState {
  /** Newest first. */
  entries: ActivityState[];
  /** Cursor of the next page; absent on the last page. */
  next_cursor?: string;
  /** The list does not begin with the newest event. */
  is_continued?: true;
  /** The group that is shown; absent if all are shown. */
  shown?: ActivityGroup;
}

/** `GET /activity`. */
export type ActivityAnswer = Omit<ManageActivityState, 'is_continued' | 'shown'>;

/** The pages of the account area. */
export interface ManagePageStates {
  manage: ManageState;
  manage_apps: ManageAppsState;
  manage_data: ManageDataState;
  manage_devices: ManageDevicesState;
  manage_activity: ManageActivityState;
  manage_deletion: ManageDeletionState;
  manage_mfa: ManageMfaState;
  manage_factor: ManageFactorState;
  manage_recovery_codes: ManageRecoveryCodesState;
  manage_password: ManagePasswordState;
  manage_username: ManageUsernameState;
  manage_email: ManageEmailState;
  manage_confirm: ManageConfirmState;
  manage_switch: ManageSwitchState;
  manage_error: ManageErrorState;
}
