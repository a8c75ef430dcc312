/** Checks to which pages Hydra redirects people, and how long a sign-in may take, by following a real request. */
import type { UpstreamPage } from '../../../hydra/inspection/inspect-authorization.js';
import type { SeenCookie } from '../../../hydra/inspection/inspection-browser.js';
import { SIGN_IN_PAGES } from '../../cli/init/upstream-pages.js';
import type { Check } from '../check.js';
import { fault, hint, type Finding } from '../finding.js';
import { isFallbackPage, toPageFindings } from '../page-finding.js';

/** What happens to people if a page is not set. */
const CONSEQUENCES: Record<UpstreamPage, string> = {
  login: 'nobody can sign in',
  consent: 'no sign-in can be completed',
  logout: 'nobody can log out',
  error: 'Hydra shows errors on its own page',
  postLogout: 'a logout without an app ends on a page of Hydra',
  registration: 'prompt=registration leads to the login page',
};
const OPTIONAL_PAGES: readonly UpstreamPage[] = ['postLogout', 'registration'];
const PAGES: readonly UpstreamPage[] = ['login', 'consent', 'logout', 'error', 'postLogout', 'registration'];
const LOGIN_COOKIE = /^ory_hydra_login_csrf/;
const MIN_SECONDS = 120;
const ENOUGH_SECONDS = 600;

export const upstreamPagesCheck: Check = {
  title: 'Pages of a sign-in',
  async run(examination) {
    const authorization = await examination.authorization();
    if (authorization === null) {
      return [hint('The sign-in could not be tested: Hydra does not answer as expected.', 'Fix the findings about Hydra first.')];
    }
    const { publicUrl } = examination.config;
    const findings = [
      ...PAGES.flatMap((page) => toFindings(page, authorization.pages, publicUrl)),
      ...checkTime(authorization.cookies),
    ];
    if (authorization.trouble !== null) findings.push(explainStop(authorization.trouble));
    if (authorization.remainingClientId !== null) {
      findings.push(
        hint(
          `The test client ${authorization.remainingClientId} could not be deleted.`,
          `Run: hydra delete client ${authorization.remainingClientId}`,
        ),
      );
    }
    return findings;
  },
};

function toFindings(name: UpstreamPage, pages: Partial<Record<UpstreamPage, string>>, publicUrl: string): Finding[] {
  const actual = pages[name];
  return toPageFindings({
    page: SIGN_IN_PAGES[name],
    publicUrl,
    actual,
    // Without a page for registrations, Hydra redirects to the login page.
    isUnset: isFallbackPage(actual) || (name === 'registration' && actual === pages.login),
    toUnsetFinding: OPTIONAL_PAGES.includes(name) ? hint : fault,
    consequence: CONSEQUENCES[name],
  });
}

/** Hydra does not publish how long a sign-in may take, but its cookie for a login request has the same lifetime as the request. */
function checkTime(cookies: readonly SeenCookie[]): Finding[] {
  const seconds =
    cookies.find(({ name, maxAgeSeconds }) => LOGIN_COOKIE.test(name) && maxAgeSeconds !== 0)?.maxAgeSeconds ?? null;
  if (seconds === null || seconds >= ENOUGH_SECONDS) return [];
  const fix = 'Set TTL_LOGIN_CONSENT_REQUEST (ttl.login_consent_request) of Hydra to 30m, its default, and restart Hydra.';
  const what = `Hydra allows ${seconds} s for a whole sign-in (TTL_LOGIN_CONSENT_REQUEST)`;
  if (seconds < MIN_SECONDS) return [fault(`${what}, which may end before the person has typed a password.`, fix)];
  return [hint(`${what}, but a code by e-mail or the set-up of a second factor can take longer.`, fix)];
}

function explainStop(trouble: string): Finding {
  return fault(
    `The test stopped early: ${trouble}. Later pages were not checked.`,
    'Fix the findings above about Hydra and its pages, then run the doctor again.',
  );
}
