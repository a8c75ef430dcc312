/**
 * The built files of the pages, in memory with their compressed forms, and the files that each page needs. Names
 * contain a hash of the content, so answers are cached for ever.
 */
import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Config } from '../../config/config.js';
import type { Locale } from '../../contract/locale.js';
import { SERVER_PATHS } from '../../contract/paths.js';
import { brandStyles } from './brand.js';
import type { AssetFile } from './asset-file.js';
import { PhraseFiles } from './phrase-files.js';
import type { PhraseAddresses } from './phrase-files.js';
import type { RenderedPage } from './page-renderer.js';

export interface PageAssets {
  styles: readonly string[];
  icons: readonly string[];
  preloads: readonly string[];
  scripts: readonly string[];
  /** What the browser loads for another language, and for the language of the page. */
  phrases: PhraseAddresses;
}

interface ManifestEntry {
  file: string;
  css?: string[];
  imports?: string[];
  isEntry?: boolean;
}

type Manifest = Readonly<Record<string, ManifestEntry>>;

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.webp': 'image/webp',
};

export class Assets {
  readonly #files: ReadonlyMap<string, AssetFile>;
  readonly #manifest: Manifest;
  readonly #brand: string[];

  private constructor(
    files: Map<string, AssetFile>,
    manifest: Manifest,
    brand: string,
    private readonly phrases: PhraseFiles,
  ) {
    this.#brand = brand === '' ? [] : [`${SERVER_PATHS.assets}brand-${hashOf(brand)}.css`];
    for (const url of this.#brand) files.set(url, { type: TYPES['.css'] ?? '', bodies: { identity: Buffer.from(brand) } });
    this.#files = files;
    this.#manifest = manifest;
  }

  /** @param folder of the built pages: `manifest.json` and `assets/` */
  static async load(folder: string, app: Config['app'], phrases: PhraseFiles): Promise<Assets> {
    const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as Manifest;
    const names = await readdir(join(folder, 'assets'));
    const files = new Map<string, AssetFile>();
    for (const name of names.filter((candidate) => TYPES[extname(candidate)] !== undefined)) {
      files.set(SERVER_PATHS.assets + name, await readAsset(join(folder, 'assets', name), names));
    }
    return new Assets(files, manifest, brandStyles(app), phrases);
  }

  /** Without built pages: only server-rendered markup, for tests of flows. */
  static none(): Assets {
    return new Assets(new Map(), {}, '', new PhraseFiles([], { phrases: () => ({}) }));
  }

  find(path: string): AssetFile | undefined {
    return this.#files.get(path) ?? this.phrases.find(path);
  }

  /** In addition to the entry. */
  forPage({ modules, page }: Pick<RenderedPage, 'modules' | 'page'>, locale: Locale): PageAssets {
    const entry = Object.values(this.#manifest).find(({ isEntry }) => isEntry);
    const needed = new Set<ManifestEntry>();
    this.#collect(entry, needed);
    for (const key of modules) this.#collect(this.#manifest[key], needed);
    const files = [...needed];
    const phrases = this.phrases.addresses(page);
    const chunks = files.filter((chunk) => chunk !== entry && chunk.file.endsWith('.js')).map(({ file }) => `/${file}`);
    return {
      styles: [...files.flatMap(({ css = [] }) => css).map((file) => `/${file}`), ...this.#brand],
      icons: [...this.#files.keys()].filter((path) => path.endsWith('.svg') && path.includes('/icon-')),
      preloads: [...chunks, ...(phrases[locale] === undefined ? [] : [phrases[locale]])],
      scripts: entry ? [`/${entry.file}`] : [],
      phrases,
    };
  }

  #collect(chunk: ManifestEntry | undefined, into: Set<ManifestEntry>): void {
    if (!chunk || into.has(chunk)) return;
    into.add(chunk);
    for (const key of chunk.imports ?? []) this.#collect(this.#manifest[key], into);
  }
}

async function readAsset(path: string, names: readonly string[]): Promise<AssetFile> {
  const has = (ending: string): boolean =>
    names.some((name) => path.endsWith(`/${name.slice(0, -ending.length)}`) && name.endsWith(ending));
  return {
    type: TYPES[extname(path)] ?? 'application/octet-stream',
    bodies: {
      identity: await readFile(path),
      ...(has('.br') ? { br: await readFile(`${path}.br`) } : {}),
      ...(has('.gz') ? { gzip: await readFile(`${path}.gz`) } : {}),
    },
  };
}

function hashOf(content: string): string {
  return createHash('sha256').update(content).digest('base64url').slice(0, 8);
}
