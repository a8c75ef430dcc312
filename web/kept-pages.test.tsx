/** Proves that a page that the gateway keeps, filled in with other texts, is equal to the page that would be rendered. */
import { describe, expect, it } from '@jest/globals';
import { SHIPPED } from '../locales/languages.js';
import type { Locale } from '../src/contract/locale.js';
import type { PageOf } from '../src/contract/page-state.js';
import { buildDocument } from '../src/gateway/page/document.js';
import { KeptPages, type PageView } from '../src/gateway/page/kept-pages.js';
import { toShape } from '../src/gateway/page/page-shape.js';
import { IS_FULL, matrix } from '../test/support/matrix.js';
import { FIXTURES, type Fixture } from './fixtures/index.js';
import { createRenderer } from './server.js';

const ASSETS = { styles: ['/assets/a.css'], icons: [], preloads: ['/assets/b.js'], scripts: ['/assets/c.js'], phrases: {} };
const { render } = createRenderer(SHIPPED.all());

const renderHtml = ({ look, ...view }: PageView): string => {
  const assets = { ...ASSETS, styles: [...ASSETS.styles, ...(look === undefined ? [] : [look])] };
  return buildDocument({ ...view, renderedPage: render(view.state, view.path), assets, theme: 'system', dir: 'ltr' });
};

const MARKER = JSON.parse(toShape({ state: { page: 'x' } as never, self: 'self' })!.key) as { self: string };

/** Texts that React treats differently in addresses, so the page is rendered again. */
const SPECIAL_ADDRESS = /^\s*(java|data:)/i;

const HOSTILE: readonly string[] = [
  '</script><script>alert(1)</script>',
  `"' onload='x' "`,
  "' & &amp; &lt; &#39; &#x27; &quot;",
  "$& $1 $$ $` $' $<name>",
  MARKER.self,
  `${MARKER.self.slice(0, 1)} %EA%80%80 \ua000 \ua640`,
  '{{client}} $t(login.heading) <client/> <1/> </way>',
  '\ud83d lone \ude00',
  '\ude00\ud83d',
  'a\u2028b\u2029c',
  'NUL\0and\u0007bell\\back\\u0022slash',
  'line\nbreak\r\ntab\t',
  '\n',
  ' ',
  'soft\u00adhyphen',
  'https://a.example/?x=1&y=~\'"%20+ü#f',
  'javascript:alert(1)',
  ' \tJava\nScript:alert(1)',
  'Ärztin Öz',
  '𝒜lice@example',
  '山',
  '-1',
  '0',
  'null',
  '__proto__',
  'data:image/png;base64,AAAA',
  '<&"\''.repeat(2_500),
];

const WORST_TEXT = `</script>"'&lt;$&$1\\\u2028\0{{client}}%EA%80%80${MARKER.self}`;

/** Replaces the texts of a page. Equal texts stay equal, and different texts stay different. */
function changeTexts({ path, ...page }: PageView, change: (text: string, index: number) => string): PageView {
  const { key, texts } = toShape(page)!;
  const markers = (JSON.parse(toShape({ state: { page: 'x', texts } as never })!.key) as { state: { texts: string[] } }).state
    .texts;
  const toJsonText = (text: string) => JSON.stringify(text).slice(1, -1);
  const json = markers.reduce((all, marker, index) => {
    return all.replaceAll(toJsonText(marker), () => toJsonText(change(texts[index] ?? '', index)));
  }, key);
  return { ...(JSON.parse(json) as Omit<PageView, 'path'>), path };
}

const dataUrls: string[] = [];

/** Replaces a data URL with an address of its own: the logos of the fixtures are data URLs, the logos of real clients are addresses. */
function replaceDataUrl(text: string): string {
  if (!text.startsWith('data:')) return text;
  if (!dataUrls.includes(text)) dataUrls.push(text);
  return `https://portal.example/${dataUrls.indexOf(text)}.svg`;
}

const toView = ({ name, path, state, locale }: Fixture & { locale: Locale }) => ({
  name: `${name} in ${locale}`,
  view: { state: state(locale), path, self: `${path}?a=b&c=d` },
});
const toKeptViews = <Variant extends Fixture & { locale: Locale }>(variant: Variant) => {
  const { name, view } = toView(variant);
  return toShape(view) === null ? [] : [{ ...variant, name, view: changeTexts(view, replaceDataUrl) }];
};

const VIEWS = FIXTURES.flatMap((fixture) => SHIPPED.locales.map((locale) => toView({ ...fixture, locale })));
const KEPT_VIEWS = matrix(FIXTURES, { locale: SHIPPED.locales }).flatMap(toKeptViews);
/** The number of characters in one text, in the test of every character. */
const CHARACTERS_PER_TEXT = IS_FULL ? 1 : 16;
/** How often a long text repeats its characters. */
const REPETITIONS = IS_FULL ? 20_000 : 2_000;
/** The texts of a page are replaced one by one, divided among this many tests. */
const PARTS = 4;
const VIEWS_BY_PART = matrix(FIXTURES, { locale: SHIPPED.locales, part: [...Array(PARTS).keys()] }).flatMap(toKeptViews);
const ENGLISH_VIEWS = FIXTURES.flatMap((fixture) => toKeptViews({ ...fixture, locale: 'en' }));

const findOutcome = (work: () => string): string => {
  try {
    return work();
  } catch (error) {
    return String(error);
  }
};

/** Pages that are never kept, because they show the secret of an authenticator app in groups of four characters. */
const NEVER_KEPT = /^mfa-enrol-totp(-invalid)? /;

/**
 * Renders and keeps a page.
 * @returns `keptView`, the view from which the kept page was rendered, and `fillIn`, which checks that the page of another view is
 *   equal to the rendered page, and returns whether the kept page was used
 */
function keepPage(view: PageView) {
  const renderedViews: PageView[] = [];
  const pages = new KeptPages((each) => {
    renderedViews.push(each);
    return renderHtml(each);
  });
  pages.html(view);
  const [, keptView] = renderedViews;
  const fillIn = (other: PageView) => {
    renderedViews.length = 0;
    const html = findOutcome(() => pages.html(other));
    const isKept = renderedViews.length === 0;
    expect(html === findOutcome(() => renderHtml(other)) || html).toBe(true);
    return isKept;
  };
  return { keptView, fillIn };
}

describe('kept pages', () => {
  it.each(VIEWS_BY_PART)('are equal to rendered pages when one text changes ($name, part $part)', ({ name, view, part }) => {
    const { keptView, fillIn } = keepPage(view);
    const { texts } = toShape(view)!;
    expect(keptView && toShape(keptView)!.texts.filter((text) => texts.includes(text))).toEqual([]);
    const isKept = !NEVER_KEPT.test(name);
    expect(fillIn(view)).toBe(isKept);
    for (const [position] of texts.entries()) {
      if (position % PARTS !== part) continue;
      expect(fillIn(changeTexts(view, (text, index) => (index === position ? WORST_TEXT : text)))).toBe(isKept);
    }
  });

  it.each(matrix(ENGLISH_VIEWS, { textNumber: [...HOSTILE.keys()] }))(
    'are equal to rendered pages when all texts are hostile ($name, text $textNumber)',
    ({ name, view, textNumber }) => {
      const hostile = HOSTILE[textNumber] ?? '';
      const hostileView = changeTexts(view, (_text, index) => (index % 2 === 0 ? `${hostile}${index}` : `${index}${hostile}`));
      expect(keepPage(view).fillIn(hostileView)).toBe(!NEVER_KEPT.test(name) && !SPECIAL_ADDRESS.test(hostile));
    },
  );

  it('[LKS-4] serve the looks of all apps from one page, and apps without a look from another page', () => {
    const pages = new KeptPages(renderHtml);
    const [{ view }] = KEPT_VIEWS as [(typeof KEPT_VIEWS)[number]];
    const looks = [undefined, '/assets/looks/b3005e__0_aaaaaaaa.css', '/assets/looks/_ff8ac2__bbbbbbbb.css', `/"><i>`];
    for (const look of looks) {
      const viewOfApp = { ...view, ...(look === undefined ? {} : { look }) };
      expect(pages.html(viewOfApp)).toBe(renderHtml(viewOfApp));
    }
    expect(pages.size).toBe(2);
  });

  it('include every page except the account area, the questions about a deletion and a change, the page for the help desk, the registration, tasks, errors of Hydra, scopes that are not words, countdowns, days, and (in the tests above) the secret of an authenticator app', () => {
    const mustChange = ({ state }: PageView) => /"(retry_after|later_until)":/.test(JSON.stringify(state));
    const notKept = VIEWS.filter(({ view }) => toShape(view) === null);
    const isExpected = (name: string) =>
      /^(manage|keep-account|oauth-error|registration|invitation|stop-change|support|task|consent-hostile )/.test(name);
    expect(notKept.filter(({ name, view }) => !isExpected(name) && !mustChange(view))).toEqual([]);
    expect(VIEWS.filter(({ view }) => toShape(view) !== null && mustChange(view))).toEqual([]);
    expect(VIEWS.filter(({ view }) => mustChange(view))).not.toEqual([]);
  });

  it.each(KEPT_VIEWS.filter(({ name }) => /^(login-policy|consent|mfa-choose|accounts) in/.test(name)))(
    'are equal to rendered pages for every character below U+0180 ($name)',
    ({ view }) => {
      const pages = new KeptPages(renderHtml);
      pages.html(view);
      const isWrong = (first: number) => {
        const characters = String.fromCharCode(...Array.from({ length: CHARACTERS_PER_TEXT }, (_, index) => first + index));
        const other = changeTexts(view, (_text, index) => `a${characters}${index}`);
        return pages.html(other) !== renderHtml(other);
      };
      expect(
        Array.from({ length: 0x180 / CHARACTERS_PER_TEXT }, (_, index) => index * CHARACTERS_PER_TEXT).filter(isWrong),
      ).toEqual([]);
    },
  );

  it('are equal to rendered pages when the texts are long', () => {
    const [{ view }] = KEPT_VIEWS as [(typeof KEPT_VIEWS)[number]];
    const pages = new KeptPages(renderHtml);
    pages.html(view);
    const longView = changeTexts(view, (_text, index) => `${index}${'<&"\'x'.repeat(REPETITIONS)}`);
    expect(pages.html(longView) === renderHtml(longView)).toBe(true);
  });

  it('do not include a page of an app that requests very many scopes', () => {
    const { view } = ENGLISH_VIEWS.find(({ name }) => name === 'consent in en')!;
    const pages = new KeptPages(renderHtml);
    const state = view.state as PageOf<'consent'>;
    const buildPage = (count: number): PageView => {
      const scopes = Array.from({ length: count }, (_, index) => ({ id: `scope-${index}`, required: false }));
      return { ...view, state: { ...state, consent: { ...state.consent, scopes } } };
    };
    for (const [count, size] of [
      [60, 1],
      [1000, 1],
    ] as const) {
      expect(pages.html(buildPage(count)) === renderHtml(buildPage(count))).toBe(true);
      expect(pages.size).toBe(size);
    }
  });

  it('drop the least recently used page', () => {
    let renders = 0;
    const pages = new KeptPages((view) => {
      renders++;
      return renderHtml(view);
    });
    const { view } = ENGLISH_VIEWS.find(({ name }) => name === 'login-policy in en')!;
    const state = view.state as PageOf<'login'>;
    const countRenders = (hints: number): number => {
      const rendersBefore = renders;
      const reg_hints = Array.from({ length: hints }, (_, index) => ({ key: `k${index}`, value: `v${index}` }));
      pages.html({ ...view, state: { ...state, login: { ...state.login, reg_hints } } });
      return renders - rendersBefore;
    };
    for (let hints = 0; hints < 20; hints++) countRenders(hints);
    for (let hints = 20; pages.size < 100 && hints < 200; hints++) {
      const reg_hints = Array.from({ length: hints - 20 }, () => ({ key: 'k', value: 'v' }));
      pages.html({ ...view, self: undefined as never, state: { ...state, login: { ...state.login, reg_hints } } });
    }
    expect([pages.size, countRenders(0)]).toEqual([100, 0]);
    pages.html({ ...view, state: { ...state, login: { ...state.login, ticket: '', reg_hints: [] } } });
    expect([pages.size, countRenders(0), countRenders(1)]).toEqual([100, 0, 2]);
  });

  it('are limited in number', () => {
    const pages = new KeptPages(renderHtml);
    const [{ view }] = KEPT_VIEWS as [(typeof KEPT_VIEWS)[number]];
    for (let hints = 0; hints < 120; hints++) {
      const reg_hints = Array.from({ length: hints % 60 }, (_, index) => ({
        key: `k${index}`,
        value: hints < 60 ? 'v' : `v${index}`,
      }));
      const state = view.state as PageOf<'login'>;
      pages.html({ ...view, state: { ...state, login: { ...state.login, reg_hints } } });
    }
    expect(pages.size).toBeLessThanOrEqual(100);
  });
});
