/** Loaded for the first ceremony: they take 6 MB, and most processes see no key. */
export const library = () => import('@simplewebauthn/server');
export const helpers = () => import('@simplewebauthn/server/helpers');
