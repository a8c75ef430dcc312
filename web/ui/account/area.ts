/** What the pages of the account area have in common: their calls, their hidden field, the way up, who is there. */
import { useState } from 'react';
import type { ManageFrame, ManageStatus, UserState } from '../../../src/contract/manage-state.js';
import { MANAGE_QUERY, FIELDS } from '../../../src/contract/form-fields.js';
import type { AccountState } from '../../../src/contract/page-state.js';
import { PATHS } from '../../../src/contract/paths.js';
import { AreaCalls, wayOutOfArea } from '../../browser/calls/api.js';

export const BACK_TO_SETTINGS = { href: PATHS.manage, label: 'area.settings' } as const;
export const BACK_TO_MFA = { href: PATHS.manageMfa, label: 'area.two_factor' } as const;

/** @param page where a fresh proof is asked for, if a call wants one; null where the page sees to it */
export function useAreaCalls({ api }: ManageFrame, page: string | null): AreaCalls {
  const [calls] = useState(() => new AreaCalls(api.token, wayOutOfArea(page)));
  return calls;
}

export function hiddenOf({ area }: ManageFrame): Record<string, string> {
  return { [FIELDS.xsrf]: area.xsrf_token };
}

export function settingsWith(status: ManageStatus): string {
  return `${PATHS.manage}?${MANAGE_QUERY.status}=${status}`;
}

export function accountOf({ id, display_name: name, username }: UserState): AccountState {
  return { id, name: name || username, username };
}
