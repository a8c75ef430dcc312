/** Bodies and queries of the calls about SCIM sources. Only the types, cursors and limits are checked here. */
import { IsObject, Matches } from 'class-validator';
import { OptionalMember } from '../../gateway/http/form-fields.decorators.js';
import { Limit, OptionalText, Text } from './body-members.js';

const TimeCursor = (): PropertyDecorator =>
  OptionalMember(Matches(/^\d{1,16}\.[0-9a-f-]{36}$/, { message: '$property must be the next_cursor of an answer.' }));

/** An account that a SCIM source may take over. */
export class ScimOfferBody {
  /** Id or subject of the account. */
  @Text() account: string;
  /** Id of the SCIM source in USER_SOURCES. */
  @Text() source: string;
  /** The `externalId` with which the source takes over the account; if it is left out, the verified address of the account is used. */
  @OptionalText() external_id?: string;
}

/** Accounts that a SCIM source may take over, each by its verified address. */
export class ScimOfferManyBody {
  /** Id of the SCIM source in USER_SOURCES. */
  @Text() source: string;
  /** The parameters of the list of accounts as strings, without `cursor` and `limit`. Empty: all accounts. */
  @IsObject({ message: '$property must be a JSON object.' }) filter: Record<string, unknown>;
  /** The `next_cursor` of the previous call. */
  @OptionalMember(Matches(/^\d{1,15}(-\d{1,15})?$/, { message: '$property must be the next_cursor of an answer.' }))
  cursor?: string;
}

export class ScimListQuery {
  /** Id of the SCIM source in USER_SOURCES. */
  @Text() source: string;
  /** The `next_cursor` of the previous page. */
  @TimeCursor() cursor?: string;
  /** Maximum number of entries, up to 200; default: 50. */
  @Limit() limit?: string;
}
