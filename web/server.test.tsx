import { describe, expect, it } from '@jest/globals';
import { createInstance } from 'i18next';
import { renderToString } from 'react-dom/server';
import { SHIPPED } from '../locales/languages.js';
import type { Locale } from '../src/contract/locale.js';
import { matrix } from '../test/support/matrix.js';
import { App, toScreen } from './app.js';
import { FIXTURES } from './fixtures/index.js';
import { I18N_OPTIONS } from './i18n/options.js';
import { createRenderer } from './server.js';

const ALL = matrix(FIXTURES, { locale: SHIPPED.locales });
const [LOGIN] = FIXTURES;
const { render, phrases } = createRenderer(SHIPPED.all());

describe('pages on the server', () => {
  it.each(ALL)(
    '[I18-1] need only their own phrases, and show no key ($name in $locale)',
    ({ state: buildState, path, locale }) => {
      const state = buildState(locale);
      const i18n = createInstance();
      const resources = { [locale]: { translation: phrases(locale, state.page) } };
      void i18n.init({ ...I18N_OPTIONS, lng: locale, resources });
      const screen = toScreen(state).buildScreen();
      const markup = renderToString(<App state={state} screen={screen} i18n={i18n} />);
      expect(markup).toBe(render(state, path).markup);
    },
  );

  it.each(ALL)('have no inline style, script or event handler in the markup ($name in $locale)', ({ state, path, locale }) => {
    const { markup } = render(state(locale), path);
    // Values are escaped, so hostile values do not match either.
    expect(markup).not.toMatch(/<script|<style|<iframe|<[^>]*\s(style|on\w+)=|javascript:/i);
  });

  it('have a title with the heading and the name of the installation', () => {
    const title = (locale: Locale) => render(LOGIN!.state(locale), LOGIN!.path).title;
    expect(title('en')).toBe('Sign in to continue to Beispielportal · Foyer');
    expect(title('de')).toBe('Anmelden und weiter zu Beispielportal · Foyer');
    const failed = FIXTURES.find(({ name }) => name === 'logout-failed')!;
    expect(render(failed.state('de'), failed.path).title).toBe('Abmeldung fehlgeschlagen! · Foyer');
  });

  it.each([
    ['login-error-credentials', 'Error: Sign in to continue to Beispielportal · Foyer'],
    ['login-missing-both', 'Error: Sign in to continue to Beispielportal · Foyer'],
    ['login-stale', 'Sign in to continue to Beispielportal · Foyer'],
    ['manage-totp-invalid', 'Error: Set up an authenticator app · Foyer'],
    ['oauth-error', 'The app couldn’t sign you in · Foyer'],
  ])('[ERR-2] state in the title whether the form has an error (%s: "%s")', (name, title) => {
    const { state, path } = FIXTURES.find((fixture) => fixture.name === name)!;
    expect(render(state('en'), path).title).toBe(title);
  });

  it('[ERR-2] state no error in the title of a form whose only alert is information', () => {
    for (const { name, state, path } of FIXTURES) {
      const { title, markup } = render(state('en'), path);
      const tones = [...markup.matchAll(/class="alert (\w+)"[^>]* role="alert"/g)].map(([, tone]) => tone);
      const isInformation = tones.length > 0 && tones.every((tone) => tone === 'info');
      if (isInformation) expect([name, title]).toEqual([name, expect.not.stringMatching(/^Error:/)]);
    }
  });

  it('[GEN-2] [GEN-4] become "page not found" at a path where they do not belong', () => {
    const page = render(LOGIN!.state('en'), '/consent');
    expect(page.markup).toContain('The page was not found');
    expect(page.modules).toEqual(['pages/server-error.tsx']);
    expect(page.page).toBe('server_error');
  });
});
