/** Scopes with built-in texts and icons (specification, section 3). Further ones come from the catalogue. */
export const BUILT_IN_SCOPES = [
  'openid',
  'profile',
  'email',
  'address',
  'phone',
  'id',
  'offline',
  'offline_access',
  'folder',
] as const;

export type BuiltInScope = (typeof BUILT_IN_SCOPES)[number];

export function isBuiltInScope(scope: string): scope is BuiltInScope {
  return BUILT_IN_SCOPES.some((known) => known === scope);
}

/**
 * Two names for one permission: OpenID Connect's and Hydra's older one. If both are requested, a person is asked once
 * and the answer counts for both.
 */
export const SAME_PERMISSION = { shown: 'offline_access', also: 'offline' } as const;
