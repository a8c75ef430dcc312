/** Checks whether a browser would accept Hydra's cookies at its public address. */
import type { SeenCookie } from '../../../hydra/inspection/walking-browser.js';
import type { Check } from '../check.js';
import { fault, hint, ok, type Finding } from '../finding.js';

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

export const cookiesCheck: Check = {
  title: 'Cookies of Hydra',
  async run(examined) {
    const walk = await examined.walk();
    if (walk === null || walk.cookies.length === 0) return [];
    const url = new URL(examined.config.hydra.publicUrl);
    const all = [...domainFindings(walk.cookies, url), ...schemeFindings(walk.cookies, url), ...siteFindings(walk.cookies)];
    return all.length > 0 ? all : [ok('A browser accepts them and sends them back.')];
  },
};

function domainFindings(cookies: readonly SeenCookie[], { hostname }: URL): Finding[] {
  const foreign = cookies.map(({ domain }) => domain?.replace(/^\./, '')).find((domain) => isForeign(domain, hostname));
  if (foreign === undefined) return [];
  return [
    fault(
      `They are set for ${foreign}, but the server is ${hostname}: browsers reject them, and every sign-in fails.`,
      "Remove SERVE_COOKIES_DOMAIN (serve.cookies.domain) from Hydra's configuration, or set it to a parent domain of its host name.",
    ),
  ];
}

function isForeign(domain: string | undefined, hostname: string): boolean {
  return domain !== undefined && hostname !== domain && !hostname.endsWith(`.${domain}`);
}

function schemeFindings(cookies: readonly SeenCookie[], { protocol, hostname }: URL): Finding[] {
  const [secure, plain] = [cookies.some((cookie) => cookie.secure), cookies.some((cookie) => !cookie.secure)];
  if (protocol === 'http:' && secure && !LOOPBACK.test(hostname)) {
    return [
      fault(
        'They are set for https only, but HYDRA_PUBLIC_URL is plain http: browsers reject them.',
        'Serve Hydra over https. For a test on one machine use localhost, or start Hydra with --dev.',
      ),
    ];
  }
  if (protocol === 'https:' && plain) {
    return [
      fault(
        'They are set without Secure although people use https: anybody who sees one plain request gets the session.',
        'Start Hydra without --dev, and set SERVE_COOKIES_SECURE (serve.cookies.secure) to true.',
      ),
    ];
  }
  return [];
}

function siteFindings(cookies: readonly SeenCookie[]): Finding[] {
  if (!cookies.some(({ sameSite }) => sameSite === 'strict')) return [];
  return [
    hint(
      'They are SameSite=Strict: a browser does not send them when it comes from an app on another site.',
      'Set SERVE_COOKIES_SAME_SITE_MODE (serve.cookies.same_site_mode) of Hydra to Lax.',
    ),
  ];
}
