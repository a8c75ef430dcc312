/** The things to try first. Each has a short address, `/try/<name>`. */

/** The names, in the order in which the page shows them. */
export const TRIES = ['sign-in', 'second-factor', 'devices', 'television', 'password'] as const;

export type Try = (typeof TRIES)[number];

/** Path of the form that requests a new password. It works without a login request. */
const FORGOTTEN_PASSWORD = '/password-reset/request-form';

/** @returns null for a name that does not exist */
export function findTryUrl(
  name: string | undefined,
  { signedIn, gatewayUrl }: { signedIn: boolean; gatewayUrl: string },
): string | null {
  const urls: Readonly<Record<Try, string>> = {
    'sign-in': '/sign-in',
    // The request has no prompt=login, so that a person who has already proven the factor returns at once.
    'second-factor': '/sign-in?acr_values=urn:foyer:acr:mfa',
    devices: signedIn ? '/account' : '/sign-in?to=account',
    television: '/tv',
    password: new URL(FORGOTTEN_PASSWORD, gatewayUrl).href,
  };
  const match = TRIES.find((candidate) => candidate === name);
  return match === undefined ? null : urls[match];
}
