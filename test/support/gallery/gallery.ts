/**
 * The gallery shows every state of every page and every mail, in every language, width, theme and look.
 * `npm run screens -- --serve` serves it, with and without script; `npm run screens -- --static` writes it as files, without
 * script. These files have to be served at the root of a host, because the pages name their files by absolute paths.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { SHIPPED } from '../../../locales/languages.js';
import type { Locale } from '../../../src/contract/locale.js';
import { SERVER_PATHS } from '../../../src/contract/paths.js';
import { Assets } from '../../../src/gateway/page/assets.js';
import { PhraseFiles } from '../../../src/gateway/page/phrase-files.js';
import { buildDocument } from '../../../src/gateway/page/document.js';
import { FIXTURES, type Fixture } from '../../../web/fixtures/index.js';
import { LOOKS, withLook, toLook, type Look } from '../looks.js';
import { MAIL_SAMPLES } from '../mail-samples.js';
import type { BuiltPages } from '../page-build.js';
import { galleryPage, type GalleryEntry } from './gallery-page.js';

export interface GalleryFile {
  type: string;
  body: string | Buffer;
  /** The content policy of the gateway, for pages only, because mails have inline styles. */
  policy?: string;
}

const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: https:; connect-src 'self'; base-uri 'none'; frame-ancestors 'self'";

const HTML = 'text/html; charset=utf-8';
const CSS = 'text/css; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';
const TEXT = 'text/plain; charset=utf-8';

const FOLDER = join(process.cwd(), 'test', 'support', 'gallery');

type LookName = keyof typeof LOOKS;
const LOOK_NAMES = Object.keys(LOOKS) as readonly LookName[];

interface Choices {
  locale: Locale;
  look: LookName;
  script: boolean;
}

export class Gallery {
  /** The files by their paths. */
  readonly #files = new Map<string, () => GalleryFile>();

  private constructor(
    private readonly built: BuiltPages,
    private readonly assets: Readonly<Record<LookName, Assets>>,
  ) {
    const file = (path: string, type: string, body: () => string | Buffer) =>
      this.#files.set(path, () => ({ type, body: body() }));
    file('/', HTML, () => galleryPage({ entries: ENTRIES, locales: SHIPPED.locales, looks: LOOK_NAMES }));
    file('/gallery/client.js', SCRIPT, () => readFileSync(join(FOLDER, 'gallery-client.js')));
    file('/gallery/gallery.css', CSS, () => readFileSync(join(FOLDER, 'gallery.css')));
    file('/gallery/axe.js', SCRIPT, () => readFileSync(createRequire(join(FOLDER, 'x')).resolve('axe-core/axe.min.js')));
    for (const name of readdirSync(join(built.folder, 'assets'))) this.#addAsset(SERVER_PATHS.assets + name);
    for (const locale of SHIPPED.locales) this.#addLanguage(locale);
    for (const look of LOOK_NAMES) this.#addLook(look);
  }

  static async create(built: BuiltPages): Promise<Gallery> {
    const phrases = new PhraseFiles(SHIPPED.locales, built.renderer);
    const assets = LOOK_NAMES.map(async (name) => [name, await Assets.load(built.folder, LOOKS[name].installation, phrases)]);
    return new Gallery(built, Object.fromEntries(await Promise.all(assets)) as Record<LookName, Assets>);
  }

  /** Paths of all files that can be shown without script. */
  get paths(): string[] {
    return [...this.#files.keys()];
  }

  /** @param url path and query */
  find({ pathname, searchParams }: URL): GalleryFile | null {
    const fixture = FIXTURES.find(({ name }) => name === searchParams.get('gallery'));
    const language = SHIPPED.find(searchParams.get('locale') ?? '');
    const look = LOOK_NAMES.find((name) => name === searchParams.get('look')) ?? 'plain';
    if (fixture && language) return this.#page(fixture, { locale: language.locale, look, script: true });
    const phrases = this.assets.plain.find(pathname);
    return this.#files.get(pathname)?.() ?? (phrases ? { type: phrases.type, body: phrases.bodies.identity } : null);
  }

  #addAsset(path: string, assets = this.assets.plain): void {
    const asset = assets.find(path);
    if (asset) this.#files.set(path, () => ({ type: asset.type, body: asset.bodies.identity }));
  }

  /** Adds the stylesheets that the settings of an installation and the registration of an app produce. */
  #addLook(name: LookName): void {
    const { client }: Look = LOOKS[name];
    const assets = this.assets[name];
    const { styles } = assets.listPageAssets({ modules: [], page: 'login' }, 'en', client && assets.buildLookUrl(client.look));
    for (const path of [...styles, ...assets.listPageAssets({ modules: [], page: 'manage' }, 'en').styles])
      this.#addAsset(path, assets);
  }

  #addLanguage(locale: Locale): void {
    for (const fixture of FIXTURES) {
      for (const look of LOOK_NAMES) {
        const path = `/gallery/${locale}/${look}/${fixture.name}.html`;
        this.#files.set(path, () => this.#page(fixture, { locale, look, script: false }));
      }
    }
    for (const { name, mail } of MAIL_SAMPLES) {
      for (const look of LOOK_NAMES) {
        const path = `/gallery/${locale}/${look}/${name}`;
        const writeMail = () => mail(locale, LOOKS[look]);
        this.#files.set(`${path}.html`, () => ({ type: HTML, body: writeMail().html }));
        this.#files.set(`${path}.txt`, () => ({ type: TEXT, body: `${writeMail().subject}\n\n${writeMail().text}` }));
      }
    }
  }

  #page({ path, state: buildState }: Fixture, { locale, look, script }: Choices): GalleryFile {
    const state = withLook(LOOKS[look], buildState(locale));
    const renderedPage = this.built.renderer.render(state, path);
    const lookAssets = this.assets[look];
    const appLook = toLook(LOOKS[look], state);
    const { styles, icons, phrases, ...withScript } = lookAssets.listPageAssets(
      renderedPage,
      locale,
      appLook && lookAssets.buildLookUrl(appLook),
    );
    const { dir } = SHIPPED.get(locale);
    const assets = { styles, icons, phrases, ...(script ? withScript : { preloads: [], scripts: [] }) };
    return { type: HTML, body: buildDocument({ state, renderedPage, assets, dir, theme: 'system' }), policy: PAGE_POLICY };
  }
}

const ENTRIES: readonly GalleryEntry[] = [
  ...FIXTURES.map(({ name, path }) => ({ name, path })),
  ...MAIL_SAMPLES.map(({ name }) => ({ name, path: null })),
];
