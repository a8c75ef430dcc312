/** The result of the last change, from the address of a page of the account area (MAN-8, MAN-10). */
import { MANAGE_QUERY, SERVER_QUERY } from '../../contract/form-fields.js';
import { MANAGE_STATUSES, type ManageStatus } from '../../contract/manage-state.js';
import { PATHS } from '../../contract/paths.js';
import { cutText } from '../../config/cut-text.js';

const MAX_TEXT_LENGTH = 300;
const MAX_NAME_LENGTH = 40;

export interface LastChange {
  status?: ManageStatus;
  /** Untrusted text. */
  factor?: string;
  /** Untrusted text. */
  oauthError?: string;
}

/** @param search query of the address; a repeated parameter is treated as missing */
export function readLastChange(search: URLSearchParams): LastChange {
  const status = toStatus(findSingle(search, MANAGE_QUERY.status));
  const factor = findSingle(search, MANAGE_QUERY.factor)?.slice(0, MAX_NAME_LENGTH);
  const oauthError = cutText(findSingle(search, SERVER_QUERY.oauthError) ?? '', MAX_TEXT_LENGTH);
  return { ...(status && { status }), ...(factor && { factor }), ...(oauthError && { oauthError }) };
}

/** @returns the address of the overview after a factor was set up or removed */
export function toFactorChangedUrl(status: 'mfa-success' | 'mfa-removed', factor: string): string {
  return `${PATHS.manage}?${MANAGE_QUERY.status}=${status}&${MANAGE_QUERY.factor}=${factor}`;
}

function findSingle(search: URLSearchParams, name: string): string | undefined {
  const values = search.getAll(name);
  return values.length === 1 ? values[0] : undefined;
}

/** The specification writes one status with a space. */
function toStatus(text: string | undefined): ManageStatus | undefined {
  const name = text === 'account security' ? 'account-security' : text;
  return MANAGE_STATUSES.find((status) => status === name);
}
