/**
 * Names of administration and support (`RESERVED_USERNAMES`): the username of a new account must not be such a name, nor look like
 * one.
 */
import { toPlainSkeletons } from './look-alikes.js';

export class ReservedUsernames {
  /** The skeletons (UTS 39) of the reserved names, without separators. */
  readonly skeletons: ReadonlySet<string>;

  constructor(names: readonly string[]) {
    this.skeletons = new Set(names.flatMap(toPlainSkeletons));
  }

  includes(username: string): boolean {
    return toPlainSkeletons(username).some((skeleton) => this.skeletons.has(skeleton));
  }
}
