/**
 * The phrases of each page in each language as scripts that a browser loads. The gateway creates them, and not the build,
 * because an installation may add languages and replace phrases. Each script is created and compressed when it is first used.
 */
import { createHash } from 'node:crypto';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Locale } from '../../contract/locale.js';
import type { PageName } from '../../contract/page-state.js';
import { PAGE_NAMES, SERVER_PATHS } from '../../contract/paths.js';
import type { AssetFile } from './asset-file.js';
import type { PageRenderer } from './page-renderer.js';

/** Addresses by language. */
export type PhraseAddresses = Readonly<Record<Locale, string>>;

interface PhraseFile {
  url: string;
  script: string;
  /** Null until a browser loads it. */
  asset: AssetFile | null;
}

export class PhraseFiles {
  readonly #files = new Map<string, PhraseFile>();
  readonly #names: ReadonlyMap<string, { locale: Locale; page: PageName }>;

  constructor(
    private readonly locales: readonly Locale[],
    private readonly renderer: Pick<PageRenderer, 'phrases'>,
  ) {
    const entries = locales.flatMap((locale) => PAGE_NAMES.map((page) => ({ locale, page })));
    this.#names = new Map(entries.map((entry) => [toName(entry.locale, entry.page), entry]));
  }

  listAddresses(page: PageName): PhraseAddresses {
    return Object.fromEntries(this.locales.map((locale) => [locale, this.#getFile(locale, page).url]));
  }

  /** @param path may come from a page of another gateway, because every gateway of an installation creates the same files */
  find(path: string): AssetFile | undefined {
    const [, name = ''] = /^\/assets\/([\w-]+)-[\w-]{8}\.js$/.exec(path) ?? [];
    const entry = this.#names.get(name);
    const file = entry && this.#getFile(entry.locale, entry.page);
    return file?.url === path ? (file.asset ??= toAsset(file.script)) : undefined;
  }

  #getFile(locale: Locale, page: PageName): PhraseFile {
    const name = toName(locale, page);
    const file = this.#files.get(name) ?? toFile(name, this.renderer.phrases(locale, page));
    this.#files.set(name, file);
    return file;
  }
}

function toName(locale: Locale, page: PageName): string {
  return `${locale}-${page.replaceAll('_', '-')}`;
}

function toFile(name: string, phrases: Readonly<Record<string, string>>): PhraseFile {
  const script = `export default ${JSON.stringify(phrases)}`;
  const hash = createHash('sha256').update(script).digest('base64url').slice(0, 8);
  return { url: `${SERVER_PATHS.assets}${name}-${hash}.js`, script, asset: null };
}

function toAsset(script: string): AssetFile {
  const identity = Buffer.from(script);
  return {
    type: 'text/javascript; charset=utf-8',
    bodies: { identity, br: brotliCompressSync(identity), gzip: gzipSync(identity) },
  };
}
