/**
 * Every page and every value that changes a page has a fixture. The records below name all values of a type, so a new
 * one does not compile until it is listed, and does not pass until it can be looked at.
 */
import { describe, expect, it } from '@jest/globals';
import { LOCALES } from '../../src/contract/locale.js';
import { screenFor } from '../../src/contract/screen-for.js';
import type {
  ChallengeFault,
  ConsentState,
  FooterLink,
  LoginHintState,
  LoginState,
  LogoutState,
  PageName,
  PageState,
  ServerErrorState,
} from '../../src/contract/page-state.js';
import { FIXTURES } from '../../web/fixtures/index.js';

type AllOf<Value extends string> = Record<Value, true>;

const PAGES: AllOf<PageName> = {
  login: true,
  login_hint: true,
  consent: true,
  logout: true,
  oauth_error: true,
  server_error: true,
};
const LOGIN_ERRORS: AllOf<NonNullable<LoginState['error']>> = { challenge: true, credentials: true, limited: true, busy: true };
const HINT_ERRORS: AllOf<NonNullable<LoginHintState['error']>> = { challenge: true };
const CONSENT_ERRORS: AllOf<NonNullable<ConsentState['error']>> = { failed: true, 'invalid-scope-requested': true };
const FAULTS: AllOf<ChallengeFault> = { missing: true, expired: true, used: true, foreign: true };
const REMEMBER: AllOf<LoginState['remember']> = { ask: true, fixed: true };
const MISSING: AllOf<LoginState['missing'][number]> = { username: true, password: true };
const LOGOUT_STATUSES: AllOf<LogoutState['status']> = { pending: true, accepted: true, rejected: true, failed: true };
const FOOTER: AllOf<FooterLink['id']> = { imprint: true, privacy: true, terms: true, sfdr: true };
const SERVER_CODES: AllOf<ServerErrorState['code']> = {
  bad_request: true,
  unauthorized: true,
  forbidden: true,
  page_not_found: true,
  method_not_allowed: true,
  too_large: true,
  unsupported: true,
  limited: true,
  internal: true,
  unavailable: true,
};

const STATES = FIXTURES.map((fixture) => fixture.state('en'));

/** What the states of one page hold, and nothing for the others. */
function valuesOf<Page extends PageName>(page: Page, read: (state: Extract<PageState, { page: Page }>) => unknown): unknown[] {
  return STATES.filter((state): state is Extract<PageState, { page: Page }> => state.page === page).flatMap(read);
}

const login = (read: (state: LoginState) => unknown) => valuesOf('login', (state) => read(state.login));
const hint = (read: (state: LoginHintState) => unknown) => valuesOf('login_hint', (state) => read(state.login_hint));
const consent = (read: (state: ConsentState) => unknown) => valuesOf('consent', (state) => read(state.consent));

describe('fixtures', () => {
  it.each<[string, Record<string, true>, unknown[]]>([
    ['pages', PAGES, STATES.map((state) => state.page)],
    ['login errors', LOGIN_ERRORS, login((state) => state.error)],
    ['faults of a login challenge', FAULTS, login((state) => state.challenge_fault)],
    ['ways to stay signed in', REMEMBER, login((state) => state.remember)],
    ['missing fields', MISSING, login((state) => state.missing)],
    ['login hint errors', HINT_ERRORS, hint((state) => state.error)],
    ['faults of a hint challenge', FAULTS, hint((state) => state.challenge_fault)],
    ['consent errors', CONSENT_ERRORS, consent((state) => state.error)],
    ['faults of a consent challenge', FAULTS, consent((state) => state.challenge_fault)],
    ['logout statuses', LOGOUT_STATUSES, valuesOf('logout', (state) => state.logout.status)],
    ['server errors', SERVER_CODES, valuesOf('server_error', (state) => state.server_error.code)],
    ['footer links', FOOTER, STATES.flatMap((state) => state.app.footer_links.map((link) => link.id))],
  ])('show all %s', (_what, all, shown) => {
    expect(Object.keys(all).filter((value) => !shown.includes(value))).toEqual([]);
  });

  it('show a page without error for each page that can have one', () => {
    for (const errors of [login((state) => state.error), hint((state) => state.error), consent((state) => state.error)]) {
      expect(errors).toContain(null);
    }
  });

  it('have names of their own', () => {
    const names = FIXTURES.map((fixture) => fixture.name);
    expect(names).toEqual([...new Set(names)]);
  });

  it.each(FIXTURES)('[GEN-2] $name: its path leads to its page', (fixture) => {
    for (const locale of LOCALES) {
      const state = fixture.state(locale);
      expect(screenFor(fixture.path, state)).toBe(state.page);
      expect(state.locale).toBe(locale);
      expect(JSON.parse(JSON.stringify(state))).toEqual(state);
    }
  });
});
