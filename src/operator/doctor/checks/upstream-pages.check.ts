/** To which pages the OAuth server sends people. It is asked by walking a request, so what it really does counts. */
import { PATHS } from '../../../contract/paths.js';
import type { UpstreamPage } from '../../../hydra/inspection/request-walk.js';
import { addressDifference } from '../address-difference.js';
import type { Check } from '../check.js';
import { fault, hint, ok } from '../finding.js';
import type { Finding } from '../finding.js';

interface ExpectedPage {
  page: UpstreamPage;
  path: string;
  /** As Hydra names it: in its environment, in its file. */
  setting: string;
  key: string;
  /** What happens to people when it is not set. */
  otherwise: string;
  optional?: true;
}

const PAGES: readonly ExpectedPage[] = [
  { page: 'login', path: PATHS.login, setting: 'URLS_LOGIN', key: 'urls.login', otherwise: 'nobody can sign in' },
  {
    page: 'consent',
    path: PATHS.consent,
    setting: 'URLS_CONSENT',
    key: 'urls.consent',
    otherwise: 'no sign-in comes to its end',
  },
  { page: 'logout', path: PATHS.logout, setting: 'URLS_LOGOUT', key: 'urls.logout', otherwise: 'nobody can log out' },
  { page: 'error', path: PATHS.error, setting: 'URLS_ERROR', key: 'urls.error', otherwise: 'errors are shown on a bare page' },
  {
    page: 'postLogout',
    path: PATHS.logoutCallback,
    setting: 'URLS_POST_LOGOUT_REDIRECT',
    key: 'urls.post_logout_redirect',
    otherwise: 'a logout without an app ends on a bare page',
    optional: true,
  },
  {
    page: 'registration',
    path: PATHS.register,
    setting: 'URLS_REGISTRATION',
    key: 'urls.registration',
    otherwise: 'prompt=registration leads to the login page',
    optional: true,
  },
];
const FALLBACK = '/oauth2/fallbacks/';

export const upstreamPagesCheck: Check = {
  title: 'Way of a sign-in',
  async run(examined) {
    const walk = await examined.walk();
    if (walk === null) {
      return [hint('The way of a request was not walked: the OAuth server does not answer as it should.', 'Mend that first.')];
    }
    const { publicUrl } = examined.config;
    const findings = PAGES.flatMap((expected) => pageFinding(expected, walk.pages, publicUrl));
    if (walk.trouble !== null) findings.push(cut(walk.trouble));
    if (walk.leftBehind !== null) {
      findings.push(
        hint(`The client ${walk.leftBehind} could not be taken away again.`, `Run: hydra delete client ${walk.leftBehind}`),
      );
    }
    return findings;
  },
};

function pageFinding(expected: ExpectedPage, seen: Partial<Record<UpstreamPage, string>>, publicUrl: string): Finding[] {
  const { page, path, setting, key, otherwise } = expected;
  const found = seen[page];
  const wanted = `${publicUrl}${path}`;
  if (found === undefined) return [];
  if (found === wanted) return [ok(`${setting} leads to ${wanted}.`)];
  const level = expected.optional ? hint : fault;
  const mend = `Set ${setting} (${key}) of Hydra to ${wanted} and restart it.`;
  if (isUnset(page, found, seen)) return [level(`${setting} of Hydra is not set: ${otherwise}.`, mend)];
  return [fault(`${setting} of Hydra leads to ${found}: ${addressDifference(found, wanted)}.`, mend)];
}

/** Hydra leads to a page of its own then, or, for a registration, to the login page. */
function isUnset(page: UpstreamPage, found: string, seen: Partial<Record<UpstreamPage, string>>): boolean {
  return new URL(found).pathname.startsWith(FALLBACK) || (page === 'registration' && found === seen.login);
}

function cut(trouble: string): Finding {
  return fault(
    `The walk ended early: ${trouble}. Pages behind it were not seen.`,
    'Mend what is said above of the OAuth server and of its pages, then run the doctor again.',
  );
}
