/**
 * Renders a page once for each shape of its state and keeps it as a document with slots for texts. The kept document is
 * rendered from markers and never from the texts of a request, so it contains nothing about a person. If the filled
 * document differs from the rendered one, the page is not kept.
 */
import type { PageState } from '../../contract/page-state.js';
import { screenFor } from '../../contract/screen-for.js';
import { toShape, type PageShape } from './page-shape.js';
import { TextSlots } from './text-slots.js';

/** A page at an address. */
export interface PageView {
  state: PageState;
  /** Path of the address, without query. */
  path: string;
  /** After a refused form: the address that shows the page again without sending the form. */
  self?: string;
  /** Address of the stylesheet with the look of an app. */
  look?: string;
}

/** A page takes about 10 kB. An attacker can evict pages, which are then rendered again. */
const MAX_PAGES = 100;
/** An app may request thousands of scopes: a page of a megabyte would be kept for each list of scopes. */
const MAX_KEY_LENGTH = 8 * 1024;
/** Addresses that React treats differently: it replaces `javascript:` addresses and does not preload `data:` images. */
const SPECIAL_ADDRESS = /^(?:data:|[\0- ]*j[\r\n\t]*a[\r\n\t]*v[\r\n\t]*a[\r\n\t]*s[\r\n\t]*c)/i;

export class KeptPages {
  /** Pages by the key of their shape; null for a page that cannot be kept. The page that was used longest ago comes first. */
  readonly #pages = new Map<string, TextSlots | null>();

  /** @param render writes the whole document */
  constructor(private readonly render: (view: PageView) => string) {}

  get size(): number {
    return this.#pages.size;
  }

  html(view: PageView): string {
    const shape = screenFor(view.path, view.state) === view.state.page ? toShape(view) : null;
    if (shape === null || shape.key.length > MAX_KEY_LENGTH || shape.texts.some((text) => SPECIAL_ADDRESS.test(text)))
      return this.render(view);
    const slots = this.#pages.get(shape.key);
    if (slots === undefined) return this.#keepFirst(view, shape);
    this.#pages.delete(shape.key);
    this.#pages.set(shape.key, slots);
    return slots === null ? this.render(view) : slots.fill(shape.texts);
  }

  #keepFirst(view: PageView, { key, texts }: PageShape): string {
    const html = this.render(view);
    const slots = this.#buildSlots(view.path, key);
    this.#pages.set(key, slots?.fill(texts) === html ? slots : null);
    const [oldestKey] = this.#pages.keys();
    if (this.#pages.size > MAX_PAGES && oldestKey !== undefined) this.#pages.delete(oldestKey);
    return html;
  }

  /** @returns null if the page cannot be rendered with markers, for example because it needs an address, or cannot be split at them */
  #buildSlots(path: string, key: string): TextSlots | null {
    try {
      return TextSlots.parse(this.render({ ...(JSON.parse(key) as Omit<PageView, 'path'>), path }));
    } catch {
      return null;
    }
  }
}
