/** Limits what a browser loads: the bytes, the number of requests, the names of files, and no code of the server. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SHIPPED } from '../../locales/languages.js';
import type { Locale } from '../../src/contract/locale.js';
import { buildLanguageLinks } from '../../web/fixtures/fixture.js';
import { FIXTURES } from '../../web/fixtures/index.js';
import { loadOrBuildConsole, type BuiltConsole } from '../support/console-preview.js';
import { LOOKS } from '../support/looks.js';
import { matrix } from '../support/matrix.js';
import { loadOrBuildPages, type BuiltPages } from '../support/page-build.js';
import { previewPages, type PagePreview } from '../support/page-preview.js';

/** All files of the login page, compressed. */
const LOGIN_PAGE_BYTES = 96_000;
/** Document, stylesheet, script, page, phrases, and the look of an installation or an app. */
const LOGIN_PAGE_REQUESTS = 6;
/** Compressed. The list is loaded after the page, which works without it. */
const COMMON_PASSWORDS_BYTES = 140_000;
/** All stylesheets together. */
const STYLES_GZIP_BYTES = 10_000;

/** All scripts and stylesheets of the operator console with both languages, compressed. */
const CONSOLE_BYTES = 250_000;

/** Pages that use what the account area and the second step share. */
const SHARING =
  /^(mfa-verification|manage|keep-account|stop-change|support|mailed-code|passkey-offer|task|password-reset-form|registration|oauth-error|server-error)/;

const ASSET = /\/(assets\/[^"&]+)"/g;

let built: BuiltPages;
let preview: PagePreview;

beforeAll(async () => {
  built = await loadOrBuildPages();
  preview = await previewPages(built);
}, 180_000);

afterAll(async () => {
  await preview.close();
  built.remove();
});

const readFile = (name: string) => readFileSync(join(built.folder, name));
const toAssets = (html: string) => [...new Set([...html.matchAll(ASSET)].map(([, name = '']) => name))];

const isKeyLibrary = (name: string) => readFile(join('assets', name)).includes('ERROR_CEREMONY_ABORTED');

function renderLoginPage(locale: Locale): string {
  const [fixture] = FIXTURES;
  const state = fixture!.state(locale);
  return preview.html('/login', { ...state, app: { ...state.app, language_links: buildLanguageLinks(SHIPPED.locales) } });
}

describe('the files that a browser loads', () => {
  it.each(SHIPPED.locales)('are few and small for the login page in %s, with all languages offered', (locale) => {
    const html = renderLoginPage(locale);
    const assets = toAssets(html);
    const bytes = assets.map((name) => preview.asset(`/${name}`)?.bodies.br?.length ?? Number.NaN);
    const total = bytes.reduce((sum, size) => sum + size, brotliCompressSync(html).length);
    expect(assets.length + 1).toBeLessThanOrEqual(LOGIN_PAGE_REQUESTS);
    expect(total).toBeLessThan(LOGIN_PAGE_BYTES);
  });

  it('[LKS-4] include the look of an app with one more request, and its icon without a request', async () => {
    const [fixture] = FIXTURES;
    const previewWithLook = await previewPages(built, { look: LOOKS.app });
    const assets = toAssets(previewWithLook.html('/login', fixture!.state('en')));
    await previewWithLook.close();
    expect(assets.filter((name) => name.startsWith('assets/looks/'))).toHaveLength(1);
    expect(assets.length + 1).toBe(LOGIN_PAGE_REQUESTS);
    expect(previewWithLook.html('/login', fixture!.state('en'))).toMatch(
      /<link rel="icon" type="image\/svg\+xml" href="data:image\/svg/,
    );
  });

  it.each(matrix(FIXTURES, { locale: SHIPPED.locales }))(
    'include every chunk that the page imports, as preloads in the document ($name in $locale)',
    ({ path, state: buildState, locale }) => {
      const state = buildState(locale);
      const named = toAssets(preview.html(path, state)).filter((name) => name.endsWith('.js'));
      const page = state.page.replaceAll('_', '-');
      const shared = SHARING.test(page) ? ['client', 'account'] : ['client'];
      const chunks = [...shared, page, `${locale}-${page}`].map((chunk) => new RegExp(`^assets/${chunk}-[\\w-]{6,8}\\.js$`));
      expect(chunks.filter((chunk) => !named.some((name) => chunk.test(name)))).toEqual([]);
      expect(named).toHaveLength(chunks.length);
    },
  );

  it.each(SHIPPED.locales)(
    '[I18-4] include the phrases of a page in %s as a script with a hash of its content in the name',
    async (locale) => {
      const [, addresses = ''] = /data-phrases="([^"]*)"/.exec(renderLoginPage(locale)) ?? [];
      const phrases = JSON.parse(addresses.replaceAll('&quot;', '"')) as Record<string, string>;
      expect(Object.keys(phrases)).toEqual(SHIPPED.locales);
      const path = phrases[locale] ?? '';
      const script = preview.asset(path)?.bodies.identity.toString() ?? '';
      const { default: texts } = (await import(`data:text/javascript,${encodeURIComponent(script)}`)) as { default: object };
      expect(texts).toEqual(built.renderer.phrases(locale, 'login'));
      expect(preview.asset(path.replace(/-[\w-]{6,8}\.js$/, '-AAAAAAAA.js'))).toBeUndefined();
      expect(preview.asset(path.replace('login', '__proto__'))).toBeUndefined();
    },
  );

  it('have a hash of their content in the name, and exist uncompressed and in two compressed forms', () => {
    const names = readdirSync(join(built.folder, 'assets'));
    const plain = names.filter((name) => !/\.(br|gz)$/.test(name));
    expect(plain.filter((name) => !/-[\w-]{6}\.(js|css|svg)$/.test(name))).toEqual([]);
    expect(names).toHaveLength(plain.length * 3);
  });

  it('include stylesheets of less than 10 KB in total', () => {
    const styles = readdirSync(join(built.folder, 'assets')).filter((name) => name.endsWith('.css.gz'));
    expect(styles).toHaveLength(2);
    const bytes = styles.map((name) => readFile(join('assets', name)).length);
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(STYLES_GZIP_BYTES);
  });

  it('do not include the library for security keys until the browser asks for a key', () => {
    const keys = readdirSync(join(built.folder, 'assets')).filter((name) => /\.js$/.test(name) && isKeyLibrary(name));
    expect(keys).toHaveLength(1);
    const named = FIXTURES.flatMap((fixture) => toAssets(preview.html(fixture.path, fixture.state('en'))));
    expect(named).not.toContain(`assets/${keys[0]}`);
  });

  it('do not include the list of common passwords until somebody types a new password', () => {
    const lists = readdirSync(join(built.folder, 'assets')).filter((name) => /^common-password-list-.*\.js\.br$/.test(name));
    expect(lists).toHaveLength(1);
    expect(readFile(join('assets', lists[0]!)).length).toBeLessThan(COMMON_PASSWORDS_BYTES);
    const named = FIXTURES.flatMap((fixture) => toAssets(preview.html(fixture.path, fixture.state('en'))));
    expect(named.filter((name) => name.includes('common-password-list'))).toEqual([]);
  });

  it('do not contain fixtures, source maps or code of the server', () => {
    const scripts = readdirSync(join(built.folder, 'assets')).filter((name) => name.endsWith('.js'));
    const foreign = /musterfrau|sourceMappingURL|renderToString|['"]node:/i;
    expect(scripts.filter((name) => foreign.test(readFile(join('assets', name)).toString()))).toEqual([]);
  });
});

describe('the files of the operator console', () => {
  let folder = '';
  let names: string[] = [];
  let remove: BuiltConsole['remove'] = () => undefined;

  beforeAll(async () => {
    ({ folder, remove } = await loadOrBuildConsole());
    names = readdirSync(join(folder, 'assets'));
  }, 180_000);
  afterAll(() => remove());

  it('are small, all pages and languages together', () => {
    const compressed = names.filter((name) => /\.(js|css)\.br$/.test(name));
    const bytes = compressed.map((name) => readFileSync(join(folder, 'assets', name)).length);
    expect(compressed.length).toBeGreaterThan(2);
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(CONSOLE_BYTES);
  });

  it('have a hash of their content in the name, and exist uncompressed and in two compressed forms', () => {
    const plain = names.filter((name) => !/\.(br|gz)$/.test(name));
    expect(plain.filter((name) => !/-[\w-]{8}\.(js|css|svg)$/.test(name))).toEqual([]);
    expect(names).toHaveLength(plain.length * 3);
  });

  it('are named by a document without inline scripts and styles, which the content policy would refuse', () => {
    const html = readFileSync(join(folder, 'index.html'), 'utf8');
    expect(html).not.toMatch(/<style|\sstyle=|<script(?![^>]*\ssrc="\/console\/assets\/)/);
    expect([...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, path]) => path)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^\/console\/assets\/index-[\w-]{8}\.js$/)]),
    );
  });

  it('contain no code of the server and no fixtures', () => {
    const scripts = names
      .filter((name) => name.endsWith('.js'))
      .map((name) => readFileSync(join(folder, 'assets', name), 'utf8'));
    expect(scripts.filter((script) => /maria\.musterfrau|node:crypto/.test(script))).toEqual([]);
  });
});
