/** The public origin. Addresses are built from it, never from a Host header. */
import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.token.js';

@Injectable()
export class PublicOrigin {
  readonly #origin: string;

  constructor(@Inject(CONFIG) { publicUrl }: Pick<Config, 'publicUrl'>) {
    this.#origin = new URL(publicUrl).origin;
  }

  equals(origin: string): boolean {
    return origin === this.#origin;
  }

  /** @param path starts with a slash */
  url(path: string): string {
    return this.#origin + path;
  }

  get isSecure(): boolean {
    return this.#origin.startsWith('https:');
  }
}
