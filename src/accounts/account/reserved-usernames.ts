/**
 * Names such as those of administration and support (`RESERVED_USERNAMES`): an account cannot take one of them as its username, nor a
 * name that looks like one of them. Existing usernames keep working.
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
