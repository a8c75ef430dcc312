/** A person's browser between app, upstream and gateway; it stops at a page or at the client's redirect address. */
import { Browser } from '../../test-kit/browser.js';

export type { Page as Arrival } from '../../test-kit/browser.js';

export class BrowserWalk extends Browser {
  /** @param clientUrls addresses of the client, which no server answers: redirects are followed up to them */
  constructor(readonly clientUrls: readonly string[]) {
    super({ stopAt: ({ href }) => clientUrls.some((url) => href.startsWith(url)) });
  }
}
