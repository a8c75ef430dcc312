/** Cookies of the OAuth server, as a browser at its public address would take them. */
import type { SeenCookie } from '../../../hydra/inspection/walking-browser.js';
import type { Check } from '../check.js';
import { fault, hint, ok } from '../finding.js';
import type { Finding } from '../finding.js';

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

export const cookiesCheck: Check = {
  title: 'Cookies of the OAuth server',
  async run(examined) {
    const walk = await examined.walk();
    if (walk === null || walk.cookies.length === 0) return [];
    const url = new URL(examined.config.hydra.publicUrl);
    const all = [...domainFindings(walk.cookies, url), ...schemeFindings(walk.cookies, url), ...siteFindings(walk.cookies)];
    return all.length > 0 ? all : [ok('A browser keeps them and brings them back.')];
  },
};

function domainFindings(cookies: readonly SeenCookie[], { hostname }: URL): Finding[] {
  const foreign = cookies.map(({ domain }) => domain?.replace(/^\./, '')).find((domain) => isForeign(domain, hostname));
  if (foreign === undefined) return [];
  return [
    fault(
      `They are set for ${foreign}, and the server is ${hostname}: a browser throws them away, and every sign-in ends in an error.`,
      'Take SERVE_COOKIES_DOMAIN (serve.cookies.domain) out of the configuration of Hydra, or set it to a part of its host name.',
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
        'They are set for https alone, and HYDRA_PUBLIC_URL is plain http: a browser throws them away.',
        'Reach Hydra by https. For a try on one machine use localhost, or start Hydra with --dev.',
      ),
    ];
  }
  if (protocol === 'https:' && plain) {
    return [
      fault(
        'They are set without Secure, although people come by https: whoever sees one plain request has the session.',
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
      'They are SameSite=Strict: a browser that comes from an app on another site does not bring them.',
      'Set SERVE_COOKIES_SAME_SITE_MODE (serve.cookies.same_site_mode) of Hydra to Lax.',
    ),
  ];
}
