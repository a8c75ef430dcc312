/**
 * The stylesheets after those of the build: the look of the installation or, in its place, that of an app, and the file of the
 * operator. The path of an app's look has its values, so that every gateway can answer it; they are read as strictly as
 * settings, and a hash of the stylesheet keeps a cached one from outliving the release that made it.
 */
import { createHash } from 'node:crypto';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { SERVER_PATHS } from '../../contract/paths.js';
import type { Brand } from '../../config/look-settings.js';
import { colour, radius } from '../../config/settings-kinds.js';
import type { Kind } from '../../config/settings-kinds.js';
import type { AssetFile } from './asset-file.js';
import { brandStyles } from './brand.js';

const TYPE = 'text/css; charset=utf-8';
/** Colour, colour for dark pages, radius, hash; an empty value is none. */
const LOOK = /^looks\/([\da-f]{6})?_([\da-f]{6})?_([\w.]{0,8})_([\w-]{8})\.css$/;

export class AddedStyles {
  readonly #brand: Brand;
  readonly #files = new Map<string, AssetFile>();
  /** One request for both. */
  readonly #ownUrl: string[];
  readonly #styleUrl: string[];

  constructor({ style = '', ...brand }: Brand & { style?: string }) {
    this.#brand = brand;
    this.#ownUrl = this.#add('brand', brandStyles(brand) + style);
    this.#styleUrl = this.#add('style', style);
  }

  /** @param look in place of the installation's */
  addresses(look?: string): string[] {
    return look === undefined ? this.#ownUrl : [look, ...this.#styleUrl];
  }

  /** What the look leaves open is the installation's. */
  lookUrl({ brandColour, brandColourDark, brandRadius }: Brand): string {
    const own = this.#brand;
    const colours = brandColour === undefined ? own : { brandColour, brandColourDark };
    return pathOf({ ...colours, brandRadius: brandRadius ?? own.brandRadius });
  }

  find(path: string): AssetFile | undefined {
    return this.#files.get(path) ?? lookAt(path);
  }

  #add(name: string, css: string): string[] {
    if (css === '') return [];
    const url = `${SERVER_PATHS.assets}${name}-${hashOf(css)}.css`;
    this.#files.set(url, fileOf(css));
    return [url];
  }
}

function pathOf(look: Brand): string {
  const [light = '', dark = ''] = [look.brandColour?.slice(1), look.brandColourDark?.slice(1)];
  const values = `${light}_${dark}_${look.brandRadius ?? ''}`;
  return `${SERVER_PATHS.assets}looks/${values}_${hashOf(brandStyles(look))}.css`;
}

/** @returns undefined for an address that no page has */
function lookAt(path: string): AssetFile | undefined {
  const [, light, dark, corners] = LOOK.exec(path.slice(SERVER_PATHS.assets.length)) ?? [];
  const [brandColour, brandColourDark] = [light, dark].map((hex) => read(colour, hex && `#${hex}`));
  const look: Brand = { brandColour, brandColourDark, brandRadius: read(radius, corners) };
  return pathOf(look) === path ? fileOf(brandStyles(look), { isCompressed: false }) : undefined;
}

function read(kind: Kind<string>, value: string | undefined): string | undefined {
  const reading = kind.read(value ?? '');
  return 'value' in reading ? reading.value : undefined;
}

/** That of an app is small, and made for each request. */
function fileOf(css: string, { isCompressed = true } = {}): AssetFile {
  const identity = Buffer.from(css);
  if (!isCompressed) return { type: TYPE, bodies: { identity } };
  return { type: TYPE, bodies: { identity, br: brotliCompressSync(identity), gzip: gzipSync(identity) } };
}

function hashOf(content: string): string {
  return createHash('sha256').update(content).digest('base64url').slice(0, 8);
}
