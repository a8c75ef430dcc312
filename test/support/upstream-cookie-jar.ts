export { CookieJar, readSetCookie } from '../../testing/cookie-jar.js';
export type { SetCookie } from '../../testing/cookie-jar.js';
