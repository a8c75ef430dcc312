/**
 * The gallery: every state of every page and every mail, to be looked at in every language, width, theme and look.
 * `npm run screens -- --serve` serves it, with script and without; `npm run screens -- --static` writes it as files, without
 * script. The root of a host has to serve them, because the pages name their files by absolute paths.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { LOCALES, isLocale } from '../../../src/contract/locale.js';
import type { Locale } from '../../../src/contract/locale.js';
import { SERVER_PATHS } from '../../../src/contract/paths.js';
import { Assets } from '../../../src/gateway/page/assets.js';
import { brandStyles } from '../../../src/gateway/page/brand.js';
import { documentOf } from '../../../src/gateway/page/document.js';
import { FIXTURES } from '../../../web/fixtures/index.js';
import type { Fixture } from '../../../web/fixtures/index.js';
import { MAIL_SAMPLES } from '../mail-samples.js';
import type { BuiltPages } from '../page-build.js';
import { galleryPage } from './gallery-page.js';
import type { Shown } from './gallery-page.js';

export interface GalleryFile {
  type: string;
  body: string | Buffer;
  /** The gateway's content policy, for pages only: mails have inline styles. */
  policy?: string;
}

const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: https:; connect-src 'self'; base-uri 'none'; frame-ancestors 'self'";

const HTML = 'text/html; charset=utf-8';
const CSS = 'text/css; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';
const TEXT = 'text/plain; charset=utf-8';

/** Stylesheets of installations, as settings make them. */
const LOOKS = {
  foyer: {},
  sea: { brandColour: '#0f766e', brandRadius: '2px' },
  sun: { brandColour: '#ffd24a', brandRadius: '18px' },
} as const;

const APP = { name: 'Foyer', loginAddress: 'foyer.example', theme: 'system', footer: [], returnOrigins: [] } as const;
const OWN = join(process.cwd(), 'test', 'support', 'gallery');

export class Gallery {
  /** By path. */
  readonly #files = new Map<string, () => GalleryFile>();

  private constructor(
    private readonly built: BuiltPages,
    private readonly assets: Assets,
  ) {
    const file = (path: string, type: string, body: () => string | Buffer) =>
      this.#files.set(path, () => ({ type, body: body() }));
    file('/', HTML, () => galleryPage({ shown: SHOWN, locales: LOCALES, looks: Object.keys(LOOKS) }));
    file('/gallery/client.js', SCRIPT, () => readFileSync(join(OWN, 'gallery-client.js')));
    file('/gallery/gallery.css', CSS, () => readFileSync(join(OWN, 'gallery.css')));
    file('/gallery/axe.js', SCRIPT, () => readFileSync(createRequire(join(OWN, 'x')).resolve('axe-core/axe.min.js')));
    for (const [name, look] of Object.entries(LOOKS)) file(`/gallery/looks/${name}.css`, CSS, () => brandStyles(look));
    for (const name of readdirSync(join(built.folder, 'assets'))) this.#addAsset(SERVER_PATHS.assets + name);
    for (const locale of LOCALES) this.#addLanguage(locale);
  }

  static async of(built: BuiltPages): Promise<Gallery> {
    return new Gallery(built, await Assets.load(built.folder, APP));
  }

  /** Paths of all files that need no script to be shown. */
  get paths(): string[] {
    return [...this.#files.keys()];
  }

  /** @param url path and query */
  find({ pathname, searchParams }: URL): GalleryFile | null {
    const live = FIXTURES.find(({ name }) => name === searchParams.get('gallery'));
    const locale = searchParams.get('locale');
    if (live && isLocale(locale)) return this.#page(live, locale, { script: true });
    return this.#files.get(pathname)?.() ?? null;
  }

  #addAsset(path: string): void {
    const asset = this.assets.find(path);
    if (asset) this.#files.set(path, () => ({ type: asset.type, body: asset.bodies.identity }));
  }

  #addLanguage(locale: Locale): void {
    for (const fixture of FIXTURES) {
      this.#files.set(`/gallery/${locale}/${fixture.name}.html`, () => this.#page(fixture, locale, { script: false }));
    }
    for (const { name, mail } of MAIL_SAMPLES) {
      const at = `/gallery/${locale}/${name}`;
      this.#files.set(`${at}.html`, () => ({ type: HTML, body: mail(locale).html }));
      this.#files.set(`${at}.txt`, () => ({ type: TEXT, body: `${mail(locale).subject}\n\n${mail(locale).text}` }));
    }
  }

  #page({ path, state: stateIn }: Fixture, locale: Locale, { script }: { script: boolean }): GalleryFile {
    const state = stateIn(locale);
    const rendered = this.built.render(state, path);
    const { styles, icons, ...withScript } = this.assets.forPage(rendered.modules);
    const assets = { styles, icons, ...(script ? withScript : { preloads: [], scripts: [] }) };
    return { type: HTML, body: documentOf({ state, rendered, assets, theme: 'system' }), policy: PAGE_POLICY };
  }
}

const SHOWN: readonly Shown[] = [
  ...FIXTURES.map(({ name, path }) => ({ name, path })),
  ...MAIL_SAMPLES.map(({ name }) => ({ name, path: null })),
];
