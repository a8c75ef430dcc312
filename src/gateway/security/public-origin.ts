/** The one origin that people see. Addresses are built from it and never from a request's Host header. */
import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.token.js';

@Injectable()
export class PublicOrigin {
  readonly #origin: string;

  constructor(@Inject(CONFIG) { publicUrl }: Pick<Config, 'publicUrl'>) {
    this.#origin = new URL(publicUrl).origin;
  }

  is(origin: string): boolean {
    return origin === this.#origin;
  }

  /** @param path begins with a slash */
  url(path: string): string {
    return this.#origin + path;
  }

  get isSecure(): boolean {
    return this.#origin.startsWith('https:');
  }
}
