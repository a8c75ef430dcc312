/** Bodies and queries of the calls about people who signed up. Only the types, cursors and limits are checked here. */
import { Cursor, Limit, OptionalText } from './body-members.js';

export class SignUpListQuery {
  /** The `next_cursor` of the previous page. */
  @Cursor() cursor?: string;
  /** Maximum number of sign-ups, up to 200; default: 50. */
  @Limit() limit?: string;
}

/** How a person who signed up is approved. */
export class SignUpApprovalBody {
  /**
   * The username of the account; default: the one that the person has chosen or, if people are not asked for one, one that Foyer
   * generates.
   */
  @OptionalText() username?: string;
}

/** How a person who signed up is refused. */
export class SignUpRefusalBody {
  /** What the mail tells the person, in up to 500 characters; the reason of the call is not mailed. */
  @OptionalText() message?: string;
}
