/** A person's browser on the way through app, upstream and gateway, which stops at a page or at the client's door. */
import { Browser } from '../../test-kit/browser.js';

export type { Page as Arrival } from '../../test-kit/browser.js';

export class Wanderer extends Browser {
  /** @param doors addresses that nobody serves (the client's): the way ends there */
  constructor(readonly doors: readonly string[]) {
    super({ stopAt: ({ href }) => doors.some((door) => href.startsWith(door)) });
  }
}
