/** Names of administration and support (`RESERVED_USERNAMES`): no new account may have one, nor a name that looks like one. */
import { toPlainSkeletons } from './look-alikes.js';

export class ReservedUsernames {
  /** What the reserved names look like without separators. */
  readonly looks: ReadonlySet<string>;

  constructor(names: readonly string[]) {
    this.looks = new Set(names.flatMap(toPlainSkeletons));
  }

  includes(username: string): boolean {
    return toPlainSkeletons(username).some((look) => this.looks.has(look));
  }
}
