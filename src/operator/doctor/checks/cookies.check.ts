/** Checks whether a browser accepts the cookies of Hydra at its public address. */
import { isLoopback } from '../../../config/safe-address.js';
import type { SeenCookie } from '../../../hydra/inspection/inspection-browser.js';
import type { Check } from '../check.js';
import { fault, hint, ok, type Finding } from '../finding.js';

export const cookiesCheck: Check = {
  title: 'Cookies of Hydra',
  async run(examination) {
    const authorization = await examination.authorization();
    if (authorization === null || authorization.cookies.length === 0) return [];
    const url = new URL(examination.config.hydra.publicUrl);
    const findings = [
      ...checkDomains(authorization.cookies, url),
      ...checkScheme(authorization.cookies, url),
      ...checkSites(authorization.cookies),
    ];
    return findings.length > 0 ? findings : [ok('Browsers accept the cookies of Hydra and send them back.')];
  },
};

function checkDomains(cookies: readonly SeenCookie[], { hostname }: URL): Finding[] {
  const foreignDomain = cookies.map(({ domain }) => domain?.replace(/^\./, '')).find((domain) => isForeign(domain, hostname));
  if (foreignDomain === undefined) return [];
  return [
    fault(
      `The cookies of Hydra are set for ${foreignDomain}, but its host is ${hostname}: browsers reject them, and every sign-in fails.`,
      "Remove SERVE_COOKIES_DOMAIN (serve.cookies.domain) from Hydra's configuration, or set it to a parent domain of its host name.",
    ),
  ];
}

function isForeign(domain: string | undefined, hostname: string): boolean {
  return domain !== undefined && hostname !== domain && !hostname.endsWith(`.${domain}`);
}

function checkScheme(cookies: readonly SeenCookie[], { protocol, hostname }: URL): Finding[] {
  const hasSecureCookie = cookies.some((cookie) => cookie.secure);
  const hasPlainCookie = cookies.some((cookie) => !cookie.secure);
  if (protocol === 'http:' && hasSecureCookie && !isLoopback(hostname)) {
    return [
      fault(
        'The cookies of Hydra are set for https only, but HYDRA_PUBLIC_URL is plain http: browsers reject them.',
        'Serve Hydra over https. For a test on one machine use localhost, or start Hydra with --dev.',
      ),
    ];
  }
  if (protocol === 'https:' && hasPlainCookie) {
    return [
      fault(
        'The cookies of Hydra are set without Secure although people use https: anybody who sees one plain http request can take over the session.',
        'Start Hydra without --dev, and set SERVE_COOKIES_SECURE (serve.cookies.secure) to true.',
      ),
    ];
  }
  return [];
}

function checkSites(cookies: readonly SeenCookie[]): Finding[] {
  if (!cookies.some(({ sameSite }) => sameSite === 'strict')) return [];
  return [
    hint(
      'The cookies of Hydra are SameSite=Strict: browsers do not send them when an app on another site redirects to Hydra.',
      'Set SERVE_COOKIES_SAME_SITE_MODE (serve.cookies.same_site_mode) of Hydra to Lax.',
    ),
  ];
}
