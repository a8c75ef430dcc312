/** Bodies and queries of the operator API about invitations. */
import { IsArray, IsInt, IsObject, Matches, Max, Min } from 'class-validator';
import { OptionalMember } from '../../gateway/http/form-fields.decorators.js';
import { Cursor, Limit, OptionalObject, OptionalText, OptionalTexts, Text } from './body-members.js';

const DAYS_RULE = { message: '$property must be a whole number from 1 to 30.' };

/** A person to invite. */
export class NewInvitationBody {
  @Text() email: string;
  /** Filled in on the page; the person may change it. */
  @OptionalText() display_name?: string;
  /** Id of the client at Hydra to which the page leads. */
  @OptionalText() client?: string;
  @OptionalText() language?: string;
  @OptionalText() group_name?: string;
  /** Groups in addition to `group_name`. */
  @OptionalTexts() groups?: string[];
  /** Attributes that the setting ACCOUNT_SCHEMA allows. */
  @OptionalObject() attributes?: Record<string, unknown>;
  /** The name of the inviter that the mail and the page show; without it, they name only the app. */
  @OptionalText() inviter?: string;
  /** How long the link works, from 1 to 30 days; default: 7. */
  @OptionalMember(IsInt(DAYS_RULE), Min(1, DAYS_RULE), Max(30, DAYS_RULE)) days?: number;
}

/** Up to 100 people to invite. */
export class InvitationsBody {
  /** Bodies as for one invitation. */
  @IsObject({ each: true, message: '$property must be a list of JSON objects.' })
  @IsArray({ message: '$property must be a list of JSON objects.' })
  invitations: Record<string, unknown>[];
}

export class InvitationListQuery {
  /** Only invitations in this state. */
  @OptionalMember(Matches(/^(open|used|withdrawn|expired)$/, { message: '$property must be open, used, withdrawn or expired.' }))
  state?: string;
  /** Only invitations of this e-mail address, in any spelling. */
  @OptionalText() email?: string;
  /** The `next_cursor` of the previous page. */
  @Cursor() cursor?: string;
  /** Maximum number of invitations, up to 200; default: 50. */
  @Limit() limit?: string;
}
