/** Builds the state of the account selection (ACC-1). */
import { toAccountState } from '../../../../accounts/account/account-state.js';
import type { Account } from '../../../../accounts/account/accounts.js';
import type { AccountsState } from '../../../../contract/page-state.js';
import { page, type PageOptions, type PageOutcome } from '../../../../gateway/page/outcome.js';
import type { ProviderProfile } from '../../../../providers/identity-providers.port.js';
import { toLoginUrl } from '../../login-url.js';

export interface AccountsPageParts {
  provider: ProviderProfile;
  accounts: readonly Account[];
  token: string;
  challenge: string;
  ticket: string;
  xsrfToken: string;
  options: PageOptions;
}

export function buildAccountsPage({
  provider,
  accounts,
  token,
  challenge,
  ticket,
  xsrfToken,
  options,
}: AccountsPageParts): PageOutcome {
  const state: AccountsState = {
    accounts: accounts.map((account) => ({ ...toAccountState(account), group_name: account.groupName ?? '' })),
    token,
    login_challenge: challenge,
    xsrf_token: xsrfToken,
    ticket,
    provider: { id: provider.id, name: provider.name },
  };
  // The selection has no address of its own. The login screen leads to it again through another sign-in at the provider.
  const self = toLoginUrl(challenge);
  return page({ page: 'accounts', accounts: state }, { self, ...options });
}
