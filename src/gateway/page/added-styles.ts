/**
 * The stylesheet after those of the build: the look of the installation or, in its place, that of an app, and then the file of
 * the operator. The path of an app's look has its values, so that every gateway can answer it; they are read as strictly as
 * settings, and a hash of the stylesheet keeps a cached one from outliving the release or the file that made it.
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
  readonly #style: string;
  readonly #own: { url: string; file: AssetFile } | undefined;

  constructor({ style = '', ...brand }: Brand & { style?: string }) {
    this.#brand = brand;
    this.#style = style;
    const css = brandStyles(brand) + style;
    if (css !== '') this.#own = { url: `${SERVER_PATHS.assets}brand-${hashOf(css)}.css`, file: fileOf(css, { brotli: true }) };
  }

  /** One request at most. @param look in place of the installation's */
  addresses(look = this.#own?.url): string[] {
    return look === undefined ? [] : [look];
  }

  /** What the look leaves open is the installation's. */
  lookUrl({ brandColour, brandColourDark, brandRadius }: Brand): string {
    const own = this.#brand;
    const colours = brandColour === undefined ? own : { brandColour, brandColourDark };
    return this.#look({ ...colours, brandRadius: brandRadius ?? own.brandRadius }).url;
  }

  /** @returns undefined for an address that no page has */
  find(path: string): AssetFile | undefined {
    if (path === this.#own?.url) return this.#own.file;
    const values = LOOK.exec(path.slice(SERVER_PATHS.assets.length));
    if (!values) return undefined;
    const [, light, dark, corners] = values;
    const [brandColour, brandColourDark] = [light, dark].map((hex) => read(colour, hex && `#${hex}`));
    const { url, css } = this.#look({ brandColour, brandColourDark, brandRadius: read(radius, corners) });
    return url === path ? fileOf(css, { brotli: false }) : undefined;
  }

  #look(look: Brand): { url: string; css: string } {
    const css = brandStyles(look) + this.#style;
    const [light = '', dark = ''] = [look.brandColour?.slice(1), look.brandColourDark?.slice(1)];
    const values = `${light}_${dark}_${look.brandRadius ?? ''}`;
    return { url: `${SERVER_PATHS.assets}looks/${values}_${hashOf(css)}.css`, css };
  }
}

function read(kind: Kind<string>, value: string | undefined): string | undefined {
  const reading = kind.read(value ?? '');
  return 'value' in reading ? reading.value : undefined;
}

/** @param brotli takes long; that of an app is made for each request, as the browser keeps it */
function fileOf(css: string, { brotli }: { brotli: boolean }): AssetFile {
  const identity = Buffer.from(css);
  return { type: TYPE, bodies: { identity, gzip: gzipSync(identity), ...(brotli ? { br: brotliCompressSync(identity) } : {}) } };
}

function hashOf(content: string): string {
  return createHash('sha256').update(content).digest('base64url').slice(0, 8);
}
