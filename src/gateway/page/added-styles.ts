/**
 * Builds the stylesheet that follows the stylesheets of the build: the look of the installation or, in its place, the look of an
 * app, and then the file of the operator. The path of an app's look contains its values, so that every gateway can serve it. The values are
 * read as strictly as settings, and a hash of the stylesheet in the path makes browsers load it again after a new release or a
 * change of the operator's file. Anybody can make up such a path, so only looks that a page of this gateway has shown are
 * compressed and cached; the stylesheet of any other look is sent uncompressed.
 */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, gzip, gzipSync } from 'node:zlib';
import { SERVER_PATHS } from '../../contract/paths.js';
import type { Brand } from '../../config/look-settings.js';
import { colour, radius, type Kind } from '../../config/settings-kinds.js';
import type { AssetFile } from './asset-file.js';
import { buildBrandStyles } from './brand.js';

/** How many looks are cached. With the longest file of an operator they take about 10 MB. */
const MAX_CACHED = 50;
const TYPE = 'text/css; charset=utf-8';
/** Colour, colour for dark pages, radius, hash; a value that is not set is empty. */
const LOOK = /^looks\/([\da-f]{6})?_([\da-f]{6})?_([\w.]{0,8})_([\w-]{8})\.css$/;

interface Look {
  url: string;
  css: string;
}

interface CachedLook extends Look {
  /** Undefined until a browser loads it, and without compressed forms until the compression is done. */
  file?: AssetFile;
}

export class AddedStyles {
  /** Looks by their values; the look that was shown longest ago comes first. */
  readonly #cache = new Map<string, CachedLook>();
  readonly #brand: Brand;
  readonly #style: string;
  readonly #installationFile: { url: string; file: AssetFile } | undefined;

  constructor(
    { style = '', ...brand }: Brand & { style?: string },
    private readonly compress = buildCompressedForms,
  ) {
    this.#brand = brand;
    this.#style = style;
    const css = buildBrandStyles(brand) + style;
    if (css !== '')
      this.#installationFile = { url: `${SERVER_PATHS.assets}brand-${toHash(css)}.css`, file: toCompressedFile(css) };
  }

  /** @returns at most one address. @param look address of the stylesheet of an app's look, in place of the installation's */
  listAddresses(look = this.#installationFile?.url): string[] {
    return look === undefined ? [] : [look];
  }

  /** @returns the address of the stylesheet of an app's look. Values that the look does not set come from the installation */
  buildLookUrl({ brandColour, brandColourDark, brandRadius }: Brand): string {
    const installation = this.#brand;
    const colours = brandColour === undefined ? installation : { brandColour, brandColourDark };
    const look = { ...colours, brandRadius: brandRadius ?? installation.brandRadius };
    const values = toValues(look);
    const cachedLook = this.#cache.get(values) ?? this.#buildLook(look);
    this.#cache.delete(values);
    this.#cache.set(values, cachedLook);
    const [oldestKey] = this.#cache.keys();
    if (this.#cache.size > MAX_CACHED && oldestKey !== undefined) this.#cache.delete(oldestKey);
    return cachedLook.url;
  }

  /** @returns undefined for a path that is not the address of such a stylesheet, with the operator's file of this gateway */
  find(path: string): AssetFile | undefined {
    if (path === this.#installationFile?.url) return this.#installationFile.file;
    const values = LOOK.exec(path.slice(SERVER_PATHS.assets.length));
    if (!values) return undefined;
    const [, light = '', dark = '', corners = ''] = values;
    const cachedLook = this.#cache.get(`${light}_${dark}_${corners}`);
    if (cachedLook) return path === cachedLook.url ? this.#getFile(cachedLook) : undefined;
    const [brandColour, brandColourDark] = [light, dark].map((hex) => read(colour, hex === '' ? '' : `#${hex}`));
    const { url, css } = this.#buildLook({ brandColour, brandColourDark, brandRadius: read(radius, corners) });
    return url === path ? toPlainFile(css) : undefined;
  }

  #buildLook(look: Brand): Look {
    const css = buildBrandStyles(look) + this.#style;
    return { url: `${SERVER_PATHS.assets}looks/${toValues(look)}_${toHash(css)}.css`, css };
  }

  #getFile(look: CachedLook): AssetFile {
    if (look.file) return look.file;
    const file = toPlainFile(look.css);
    look.file = file;
    // If the compression fails, the file is sent uncompressed.
    this.compress(file.bodies.identity).then(
      (forms) => void Object.assign(file.bodies, forms),
      () => undefined,
    );
    return file;
  }
}

function toValues({ brandColour, brandColourDark, brandRadius = '' }: Brand): string {
  return [brandColour?.slice(1), brandColourDark?.slice(1), brandRadius].join('_');
}

function read(kind: Kind<string>, value: string | undefined): string | undefined {
  const reading = kind.read(value ?? '');
  return 'value' in reading ? reading.value : undefined;
}

function toPlainFile(css: string): AssetFile {
  return { type: TYPE, bodies: { identity: Buffer.from(css) } };
}

function toCompressedFile(css: string): AssetFile {
  const { type, bodies } = toPlainFile(css);
  const { identity } = bodies;
  return { type, bodies: { identity, gzip: gzipSync(identity), br: brotliCompressSync(identity) } };
}

/** Compresses on another thread, so that other requests are answered meanwhile. */
async function buildCompressedForms(identity: Buffer): Promise<Pick<AssetFile['bodies'], 'br' | 'gzip'>> {
  const [brotliForm, gzipForm] = await Promise.all([promisify(brotliCompress)(identity), promisify(gzip)(identity)]);
  return { br: brotliForm, gzip: gzipForm };
}

function toHash(content: string): string {
  return createHash('sha256').update(content).digest('base64url').slice(0, 8);
}
