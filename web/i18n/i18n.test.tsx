import { describe, expect, it } from '@jest/globals';
import { SHIPPED } from '../../locales/languages.js';
import type { PageState } from '../../src/contract/page-state.js';
import { matrix } from '../../test/support/matrix.js';
import { FIXTURES } from '../fixtures/index.js';
import { createRenderer } from '../server.js';
import { shippedI18n } from '../fixtures/shipped-pages.js';

/** Elements and variables of our own phrases, in every notation that i18next or `MarkedPhrase` reads. */
const HOSTILE = `<way>x</way> <client/> <1/> <b> {{client}} {{provider}} {{app}} {{count}} $t(login.heading) $& &lt; "O'Brien" <policy>`;
/** Names in the fixtures that come from apps, providers and the installation. */
const NAMES = /Beispielportal|Google|Foyer/g;
/** The recovery codes carry the name of the installation in a file, where it is encoded. */
const BESIDE_A_FILE = /Beispielportal|Google/g;

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#x27;' };
const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);

const { render } = createRenderer(SHIPPED.all());

const ALL = matrix(FIXTURES, { locale: SHIPPED.locales });

describe('phrases', () => {
  it.each(ALL)(
    '[I18-4] $name in $locale: a name that looks like markup or a variable stays text',
    ({ state: stateIn, path, locale }) => {
      const state = stateIn(locale);
      const shown = render(state, path);
      const names = shown.markup.includes('data:text/plain') ? BESIDE_A_FILE : NAMES;
      const hostile = JSON.parse(
        JSON.stringify(state).replaceAll(names, () => JSON.stringify(HOSTILE).slice(1, -1)),
      ) as PageState;
      const { markup, title } = render(hostile, path);
      expect(markup).toBe(shown.markup.replaceAll(names, () => escaped(HOSTILE)));
      expect(title).toBe(shown.title.replaceAll(names, () => HOSTILE));
    },
  );

  it('[I18-1] speaks German and English', () => {
    expect(shippedI18n('de').t('login.submit')).toBe('Anmelden');
    expect(shippedI18n('en').t('login.submit')).toBe('Sign in');
  });
});
