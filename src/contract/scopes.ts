/** Scopes with built-in texts and icons (specification, section 3). Texts of further scopes come from `CONSENT_SCOPES`. */
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
  return BUILT_IN_SCOPES.some((builtInScope) => builtInScope === scope);
}

/** Built-in scopes with which an app can change or read a great deal; pages mark them. */
export const FAR_REACHING_SCOPES: readonly string[] = ['id', 'folder'] satisfies BuiltInScope[];

/**
 * The values that Hydra's discovery document should contain in addition to its own (OpenID Connect Discovery, section 3): the scopes
 * that stand for claims, and the claims that apps can receive.
 */
export const DISCOVERY = {
  scopes: ['profile', 'email', 'address', 'phone'],
  claims: [
    ...(['name', 'preferred_username', 'picture', 'locale', 'updated_at', 'given_name', 'family_name', 'middle_name'] as const),
    ...(['nickname', 'profile', 'website', 'gender', 'birthdate', 'zoneinfo', 'email', 'email_verified', 'address'] as const),
    ...(['phone_number', 'phone_number_verified'] as const),
  ],
} as const;

/** Without this scope the client would not learn who signed in, so a person can only refuse the whole request (CON-4). */
export const REQUIRED_SCOPE = 'openid';

/**
 * Two names for one permission: the name of OpenID Connect, and an older name of Hydra. If both are requested, the person is asked
 * once, and the answer applies to both.
 */
export const SAME_PERMISSION = { name: 'offline_access', olderName: 'offline' } as const;

/** @returns all names of the permission for which a scope stands */
export function toNames(scope: string): readonly string[] {
  const { name, olderName } = SAME_PERMISSION;
  return scope === name || scope === olderName ? [name, olderName] : [scope];
}
