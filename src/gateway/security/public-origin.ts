/** The one origin that people see. Addresses are built from it and never from a request's Host header. */
import { Injectable } from '@nestjs/common';

@Injectable()
export class PublicOrigin {
  readonly #origin: string;

  /** @param publicUrl origin without a trailing slash */
  constructor(publicUrl: string) {
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
