/** What somebody can try first, each behind a short address, `/try/<name>`. */

/** In the order in which they are shown. */
export const TRIES = ['sign-in', 'second-factor', 'devices', 'television', 'password'] as const;

export type Try = (typeof TRIES)[number];

/** Where the form for a new password is; no app has to wait for it. */
const FORGOTTEN_PASSWORD = '/password-reset/request-form';

/** @returns null for a name that does not exist */
export function tryUrl(
  name: string | undefined,
  { signedIn, gatewayUrl }: { signedIn: boolean; gatewayUrl: string },
): string | null {
  const urls: Readonly<Record<Try, string>> = {
    'sign-in': '/sign-in',
    // Not with prompt=login: whoever is signed in with the factor comes back at once.
    'second-factor': '/sign-in?acr_values=urn:foyer:acr:mfa',
    devices: signedIn ? '/account' : '/sign-in?to=account',
    television: '/tv',
    password: new URL(FORGOTTEN_PASSWORD, gatewayUrl).href,
  };
  const found = TRIES.find((each) => each === name);
  return found === undefined ? null : urls[found];
}
