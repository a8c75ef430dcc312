import { describe, expect, it } from '@jest/globals';
import { SHIPPED } from '../../locales/languages.js';
import type { PageState } from '../../src/contract/page-state.js';
import { matrix } from '../../test/support/matrix.js';
import { FIXTURES } from '../fixtures/index.js';
import { createRenderer } from '../server.js';
import { getI18n } from '../fixtures/shipped-i18n.js';

/** Elements and variables of our own phrases, in every notation that i18next or `MarkedPhrase` reads. */
const HOSTILE_NAME = `<way>x</way> <client/> <1/> <b> {{client}} {{provider}} {{app}} {{count}} $t(login.heading) $& &lt; "O'Brien" <policy>`;
/** Names in the fixtures that come from apps, providers and the installation. */
const NAMES = /Beispielportal|Google|Foyer/g;
/** The file of the recovery codes contains the name of the installation in another encoding, so that name is left out. */
const NAMES_WITHOUT_INSTALLATION = /Beispielportal|Google/g;

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#x27;' };
const escapeMarkup = (text: string) => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);

const { render } = createRenderer(SHIPPED.all());

const CASES = matrix(FIXTURES, { locale: SHIPPED.locales });

describe('phrases', () => {
  it.each(CASES)(
    '[I18-4] keep a name that looks like markup or a variable as text ($name in $locale)',
    ({ state: buildState, path, locale }) => {
      const state = buildState(locale);
      const originalPage = render(state, path);
      const names = originalPage.markup.includes('data:text/plain') ? NAMES_WITHOUT_INSTALLATION : NAMES;
      const hostileState = JSON.parse(
        JSON.stringify(state).replaceAll(names, () => JSON.stringify(HOSTILE_NAME).slice(1, -1)),
      ) as PageState;
      const { markup, title } = render(hostileState, path);
      expect(markup).toBe(originalPage.markup.replaceAll(names, () => escapeMarkup(HOSTILE_NAME)));
      expect(title).toBe(originalPage.title.replaceAll(names, () => HOSTILE_NAME));
    },
  );

  it.each(CASES)('are the same in the title and the heading ($name in $locale)', ({ state: buildState, path, locale }) => {
    const { markup, title } = render(buildState(locale), path);
    const heading = /<h1[^>]*>(.*?)<\/h1>/s.exec(markup)?.[1] ?? '';
    // An element isolates a value in the heading, characters in the title (UAX 9).
    const toPlainText = (text: string) => text.replaceAll(/<[^>]*>|[\u00ad\u2066-\u2069]/g, '');
    expect(toPlainText(escapeMarkup(title))).toContain(`${toPlainText(heading)} · `);
  });

  it('[I18-1] exist in German and English', () => {
    expect(getI18n('de').t('login.submit')).toBe('Anmelden');
    expect(getI18n('en').t('login.submit')).toBe('Sign in');
  });
});
