/** Converts the account filters of a call or a job to a query. */
import type { AccountQuery } from '../../accounts/account/account-list.js';
import { defined } from '../../config/defined.js';
import type { AccountListQuery } from './account-bodies.js';
import { toInstant } from './instant.js';

/** @throws OperatorFault 400 for an invalid date */
export function toAccountQuery({
  group_name,
  status,
  limit,
  local,
  never_signed_in,
  ...filters
}: AccountListQuery): AccountQuery {
  const { signed_in_since, signed_in_before, ...otherFilters } = filters;
  return {
    ...otherFilters,
    ...defined({ groupName: group_name }),
    ...(status === undefined ? {} : { status: status === 'active' ? 'active' : 'disabled' }),
    ...(local === undefined ? {} : { isLocal: true }),
    ...(signed_in_since === undefined ? {} : { signedInSince: toInstant('signed_in_since', signed_in_since) }),
    ...(signed_in_before === undefined ? {} : { signedInBefore: toInstant('signed_in_before', signed_in_before) }),
    ...(never_signed_in === undefined ? {} : { hasNeverSignedIn: true }),
    ...(limit === undefined ? {} : { limit: Number(limit) }),
  };
}
