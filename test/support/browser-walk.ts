/** A person's browser on the way through app, upstream and gateway, which stops at a page or at the client's redirect address. */
import { Browser } from '../../test-kit/browser.js';

export type { Page as Arrival } from '../../test-kit/browser.js';

export class Wanderer extends Browser {
  /** @param clientUrls addresses that nobody serves (the client's): the way ends there */
  constructor(readonly clientUrls: readonly string[]) {
    super({ stopAt: ({ href }) => clientUrls.some((url) => href.startsWith(url)) });
  }
}
