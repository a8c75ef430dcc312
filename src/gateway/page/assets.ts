/**
 * Holds the built files of the pages in memory with their compressed forms, and lists the files that each page needs. Names
 * contain a hash of the content, so browsers may cache the files forever.
 */
import { readFile, readdir } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import type { Config } from '../../config/config.js';
import type { Brand } from '../../config/look-settings.js';
import type { Locale } from '../../contract/locale.js';
import { SERVER_PATHS } from '../../contract/paths.js';
import { AddedStyles } from './added-styles.js';
import type { AssetFile } from './asset-file.js';
import { PhraseFiles, type PhraseAddresses } from './phrase-files.js';
import type { RenderedPage } from './page-renderer.js';

export interface PageIcon {
  rel: 'icon' | 'apple-touch-icon';
  url: string;
}

export interface PageAssets {
  styles: readonly string[];
  icons: readonly PageIcon[];
  preloads: readonly string[];
  scripts: readonly string[];
  /** The files with the phrases of the page, one for each language. */
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

/** The settings that change the look of the pages. */
export type Looks = Brand & Partial<Pick<Config['app'], 'style' | 'iconUrls' | 'touchIconUrl'>>;

export class Assets {
  readonly #styles: AddedStyles;
  readonly #icons: readonly PageIcon[];

  private constructor(
    private readonly files: ReadonlyMap<string, AssetFile>,
    private readonly manifest: Manifest,
    looks: Looks,
    private readonly phrases: PhraseFiles,
  ) {
    this.#styles = new AddedStyles(looks);
    this.#icons = toIcons(looks, files);
  }

  /** @param folder contains the built pages: `manifest.json` and `assets/` */
  static async load(folder: string, looks: Looks, phrases: PhraseFiles): Promise<Assets> {
    const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as Manifest;
    const files = await readAssets(join(folder, 'assets'), SERVER_PATHS.assets);
    return new Assets(files, manifest, looks, phrases);
  }

  /**
   * Creates assets without built pages, for tests of flows, which need only server-rendered markup.
   * @param looks settings of the look, if the test loads stylesheets
   */
  static createEmpty(looks: Looks = {}): Assets {
    return new Assets(new Map(), {}, looks, new PhraseFiles([], { phrases: () => ({}) }));
  }

  find(path: string): AssetFile | undefined {
    return this.files.get(path) ?? this.phrases.find(path) ?? this.#styles.find(path);
  }

  /** @returns the address of the stylesheet of an app's look, in place of the installation's */
  buildLookUrl(look: Brand): string {
    return this.#styles.buildLookUrl(look);
  }

  /** @returns the files that a page needs. @param look address of the stylesheet of an app's look */
  listPageAssets({ modules, page }: Pick<RenderedPage, 'modules' | 'page'>, locale: Locale, look?: string): PageAssets {
    const entry = Object.values(this.manifest).find(({ isEntry }) => isEntry);
    const entries = new Set<ManifestEntry>();
    this.#collect(entry, entries);
    for (const key of modules) this.#collect(this.manifest[key], entries);
    const files = [...entries];
    const phrases = this.phrases.listAddresses(page);
    const chunks = files.filter((chunk) => chunk !== entry && chunk.file.endsWith('.js')).map(({ file }) => `/${file}`);
    return {
      styles: [...files.flatMap(({ css = [] }) => css).map((file) => `/${file}`), ...this.#styles.listAddresses(look)],
      icons: this.#icons,
      preloads: [...chunks, ...(phrases[locale] === undefined ? [] : [phrases[locale]])],
      scripts: entry ? [`/${entry.file}`] : [],
      phrases,
    };
  }

  #collect(chunk: ManifestEntry | undefined, collection: Set<ManifestEntry>): void {
    if (!chunk || collection.has(chunk)) return;
    collection.add(chunk);
    for (const key of chunk.imports ?? []) this.#collect(this.manifest[key], collection);
  }
}

/**
 * Reads the files of a folder that are of a type in `TYPES`.
 * @param prefix the prefix of their paths
 * @returns the files by their path
 */
export async function readAssets(folder: string, prefix: string): Promise<Map<string, AssetFile>> {
  const names = await readdir(folder);
  const files = new Map<string, AssetFile>();
  for (const name of names.filter((candidate) => TYPES[extname(candidate)] !== undefined))
    files.set(prefix + name, await readAsset(join(folder, name), names));
  return files;
}

async function readAsset(path: string, names: readonly string[]): Promise<AssetFile> {
  const hasForm = (ending: string): boolean => names.includes(basename(path) + ending);
  return {
    type: TYPES[extname(path)] ?? 'application/octet-stream',
    bodies: {
      identity: await readFile(path),
      ...(hasForm('.br') ? { br: await readFile(`${path}.br`) } : {}),
      ...(hasForm('.gz') ? { gzip: await readFile(`${path}.gz`) } : {}),
    },
  };
}

/** The product's own icon is so small that the document contains it. */
function toIcons({ iconUrls = [], touchIconUrl }: Looks, files: ReadonlyMap<string, AssetFile>): PageIcon[] {
  const icon = [...files].find(([path]) => path.endsWith('.svg') && path.includes('/icon-'))?.[1].bodies.identity.toString();
  const icons = iconUrls.length === 0 && icon !== undefined ? [`data:image/svg+xml,${encodeURIComponent(icon)}`] : iconUrls;
  return [
    ...icons.map((url) => ({ rel: 'icon' as const, url })),
    ...(touchIconUrl === undefined ? [] : [{ rel: 'apple-touch-icon' as const, url: touchIconUrl }]),
  ];
}
