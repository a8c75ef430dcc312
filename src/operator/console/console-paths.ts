/** The paths of the console on the port of the operator API. Other paths below `root` are pages of the application, except assets. */
export const CONSOLE_PATHS = {
  root: '/console/',
  assets: '/console/assets/',
  session: '/console/session',
  signIn: '/console/sign-in',
  callback: '/console/callback',
  signOut: '/console/sign-out',
  backChannelLogout: '/console/backchannel-logout',
  /** Pages of the browser application to which Foyer or Hydra redirects. */
  proven: '/console/proven',
  refused: '/console/refused',
  signedOut: '/console/signed-out',
} as const;

const SERVER_PATHS: ReadonlySet<string> = new Set([
  CONSOLE_PATHS.session,
  CONSOLE_PATHS.signIn,
  CONSOLE_PATHS.callback,
  CONSOLE_PATHS.signOut,
  CONSOLE_PATHS.backChannelLogout,
]);

/** @returns the path without the query */
export function toPath(url: string | undefined): string {
  return (url ?? '').split('?', 1)[0] ?? '';
}

/** Whether the server itself answers this path, without a token. */
export function isConsoleRoute(path: string): boolean {
  return SERVER_PATHS.has(path);
}

/**
 * Accepts only paths of the console, so that a link to the sign-in cannot lead anywhere else afterwards.
 * @returns the path and query to which a sign-in returns; the start page instead of any other address
 */
export function toReturnPath(path: unknown): string {
  if (typeof path !== 'string' || path.length > 1000 || !/^\/console\/[\x21-\x7e]*$/.test(path)) return CONSOLE_PATHS.root;
  const url = new URL(path, 'http://console.invalid');
  const isInside = url.host === 'console.invalid' && url.pathname.startsWith(CONSOLE_PATHS.root) && !path.includes('\\');
  return isInside && !isConsoleRoute(url.pathname) ? url.pathname + url.search : CONSOLE_PATHS.root;
}
