/** The common parts of the pages of the account area: RPC client, hidden field, links to the parent page, account. */
import { useState } from 'react';
import type { ManageFrame, ManageStatus, UserState } from '../../../src/contract/manage-state.js';
import { MANAGE_QUERY, FIELDS } from '../../../src/contract/form-fields.js';
import type { AccountState } from '../../../src/contract/page-state.js';
import { PATHS } from '../../../src/contract/paths.js';
import { RpcClient, buildExitFromManage } from '../../browser/calls/rpc-client.js';

export const BACK_TO_SETTINGS = { href: PATHS.manage, label: 'settings.settings' } as const;
export const BACK_TO_MFA = { href: PATHS.manageMfa, label: 'settings.two_factor' } as const;

/** @param page path to return to after a fresh proof; null if the page handles `proof required` itself */
export function useRpcClient({ api }: ManageFrame, page: string | null): RpcClient {
  const [calls] = useState(() => new RpcClient(api.token, buildExitFromManage(page)));
  return calls;
}

export function toHiddenFields({ area }: ManageFrame): Record<string, string> {
  return { [FIELDS.xsrf]: area.xsrf_token };
}

export function buildSettingsUrl(status: ManageStatus): string {
  return `${PATHS.manage}?${MANAGE_QUERY.status}=${status}`;
}

export function toAccount({ id, display_name: name, username }: UserState): AccountState {
  return { id, name: name || username, username };
}
