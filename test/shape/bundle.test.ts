/** What a browser has to load: how much, in how many requests, under which names, and nothing that is not for it. */
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SHIPPED } from '../../locales/languages.js';
import type { Locale } from '../../src/contract/locale.js';
import { languageLinks } from '../../web/fixtures/fixture.js';
import { FIXTURES } from '../../web/fixtures/index.js';
import { LOOKS } from '../support/looks.js';
import { buildPages, type BuiltPages } from '../support/page-build.js';
import { previewPages, type PagePreview } from '../support/page-preview.js';

/** The login page compressed, everything counted. */
const LOGIN_PAGE_BYTES = 96_000;
/** Document, style, script, page and phrases, and the look of an installation or an app. */
const LOGIN_PAGE_REQUESTS = 6;
/** Compressed; it is loaded beside a page that works without it. */
const COMMON_PASSWORDS_BYTES = 140_000;
/** The whole stylesheet. */
const STYLES_GZIP_BYTES = 10_000;

const ASSET = /\/(assets\/[^"&]+)"/g;

let built: BuiltPages;
let preview: PagePreview;

beforeAll(async () => {
  built = await buildPages();
  execFileSync(process.execPath, ['scripts/precompress.mjs', built.folder]);
  preview = await previewPages(built);
}, 60_000);

afterAll(async () => {
  await preview.close();
  built.remove();
});

const file = (name: string) => readFileSync(join(built.folder, name));
const toAssets = (html: string) => [...new Set([...html.matchAll(ASSET)].map(([, name = '']) => name))];

const isKeyLibrary = (name: string) => file(join('assets', name)).includes('ERROR_CEREMONY_ABORTED');

function loginPage(locale: Locale): string {
  const [fixture] = FIXTURES;
  const state = fixture!.state(locale);
  return preview.html('/login', { ...state, app: { ...state.app, language_links: languageLinks(SHIPPED.locales) } });
}

describe('what the browser loads', () => {
  it.each(SHIPPED.locales)('the login page in %s is small and needs few requests, with all languages offered', (locale) => {
    const html = loginPage(locale);
    const assets = toAssets(html);
    const bytes = assets.map((name) => preview.asset(`/${name}`)?.bodies.br?.length ?? Number.NaN);
    const total = bytes.reduce((sum, size) => sum + size, brotliCompressSync(html).length);
    expect(assets.length + 1).toBeLessThanOrEqual(LOGIN_PAGE_REQUESTS);
    expect(total).toBeLessThan(LOGIN_PAGE_BYTES);
  });

  it('[LKS-4] the look of an app is one request more, and the icon none', async () => {
    const [fixture] = FIXTURES;
    const looked = await previewPages(built, { look: LOOKS.app });
    const assets = toAssets(looked.html('/login', fixture!.state('en')));
    await looked.close();
    expect(assets.filter((name) => name.startsWith('assets/looks/'))).toHaveLength(1);
    expect(assets.length + 1).toBe(LOGIN_PAGE_REQUESTS);
    expect(looked.html('/login', fixture!.state('en'))).toMatch(/<link rel="icon" type="image\/svg\+xml" href="data:image\/svg/);
  });

  it.each(FIXTURES)('$name: the document names every chunk that the page will import', (fixture) => {
    for (const locale of SHIPPED.locales) {
      const state = fixture.state(locale);
      const named = toAssets(preview.html(fixture.path, state)).filter((name) => name.endsWith('.js'));
      const page = state.page.replaceAll('_', '-');
      const shared = /^(mfa-verification|manage|keep-account|passkey-offer|password-reset-form|oauth-error|server-error)/.test(
        page,
      )
        ? ['client', 'account']
        : ['client'];
      const chunks = [...shared, page, `${locale}-${page}`].map((chunk) => new RegExp(`^assets/${chunk}-[\\w-]{8}\\.js$`));
      expect(chunks.filter((chunk) => !named.some((name) => chunk.test(name)))).toEqual([]);
      expect(named).toHaveLength(chunks.length);
    }
  });

  it.each(SHIPPED.locales)(
    '[I18-4] the phrases of a page in %s are a script under an address with a hash of its content',
    async (locale) => {
      const [, addresses = ''] = /data-phrases="([^"]*)"/.exec(loginPage(locale)) ?? [];
      const phrases = JSON.parse(addresses.replaceAll('&quot;', '"')) as Record<string, string>;
      expect(Object.keys(phrases)).toEqual(SHIPPED.locales);
      const path = phrases[locale] ?? '';
      const script = preview.asset(path)?.bodies.identity.toString() ?? '';
      const { default: texts } = (await import(`data:text/javascript,${encodeURIComponent(script)}`)) as { default: object };
      expect(texts).toEqual(built.renderer.phrases(locale, 'login'));
      expect(preview.asset(path.replace(/-[\w-]{8}\.js$/, '-AAAAAAAA.js'))).toBeUndefined();
      expect(preview.asset(path.replace('login', '__proto__'))).toBeUndefined();
    },
  );

  it('every file carries a hash of its content, and stands there in three forms', () => {
    const names = readdirSync(join(built.folder, 'assets'));
    const plain = names.filter((name) => !/\.(br|gz)$/.test(name));
    expect(plain.filter((name) => !/-[\w-]{8}\.(js|css|svg)$/.test(name))).toEqual([]);
    expect(names).toHaveLength(plain.length * 3);
  });

  it('the stylesheets are under 10 KB together', () => {
    const styles = readdirSync(join(built.folder, 'assets')).filter((name) => name.endsWith('.css.gz'));
    expect(styles).toHaveLength(2);
    const bytes = styles.map((name) => file(join('assets', name)).length);
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(STYLES_GZIP_BYTES);
  });

  it('what speaks to security keys is loaded by nobody who does not ask for one', () => {
    const keys = readdirSync(join(built.folder, 'assets')).filter((name) => /\.js$/.test(name) && isKeyLibrary(name));
    expect(keys).toHaveLength(1);
    const named = FIXTURES.flatMap((fixture) => toAssets(preview.html(fixture.path, fixture.state('en'))));
    expect(named).not.toContain(`assets/${keys[0]}`);
  });

  it('the list of common passwords is loaded by nobody who types no new password', () => {
    const lists = readdirSync(join(built.folder, 'assets')).filter((name) => /^common-password-list-.*\.js\.br$/.test(name));
    expect(lists).toHaveLength(1);
    expect(file(join('assets', lists[0]!)).length).toBeLessThan(COMMON_PASSWORDS_BYTES);
    const named = FIXTURES.flatMap((fixture) => toAssets(preview.html(fixture.path, fixture.state('en'))));
    expect(named.filter((name) => name.includes('common-password-list'))).toEqual([]);
  });

  it('no file holds fixtures, source maps, or code of the server', () => {
    const scripts = readdirSync(join(built.folder, 'assets')).filter((name) => name.endsWith('.js'));
    const telling = /musterfrau|sourceMappingURL|renderToString|['"]node:/i;
    expect(scripts.filter((name) => telling.test(file(join('assets', name)).toString()))).toEqual([]);
  });
});
