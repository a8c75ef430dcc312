/**
 * Bodies and queries about clients of Hydra. Only the types, cursors and limits are checked here; `clients/client-rules.ts` checks the
 * other values.
 */
import { IsBoolean, Matches } from 'class-validator';
import { OptionalMember } from '../../gateway/http/form-fields.decorators.js';
import { Limit, OptionalObject, OptionalText, OptionalTexts, Text } from './body-members.js';

const OptionalFlag = (): PropertyDecorator => OptionalMember(IsBoolean({ message: '$property must be true or false.' }));

/**
 * The members of a client. Members that are left out do not change; a new client has the values of its preset for them. An empty text or
 * list removes the value, except that `client_name`, `scope` and `token_endpoint_auth_method` must not be empty.
 */
class ClientMembersBody {
  /** The name that people see: 1 to 100 characters. */
  @OptionalText() client_name?: string;
  @OptionalText() owner?: string;
  /** With https; with http on the local machine; or, for apps on phones, with a reversed domain name as the scheme. */
  @OptionalTexts() redirect_uris?: string[];
  /** Each with the scheme, host and port of one of the `redirect_uris`. */
  @OptionalTexts() post_logout_redirect_uris?: string[];
  /** Origins whose pages may call Hydra. */
  @OptionalTexts() allowed_cors_origins?: string[];
  /** Scopes that the client may request, separated by spaces. */
  @OptionalText() scope?: string;
  @OptionalTexts() audience?: string[];
  @OptionalTexts() contacts?: string[];
  @OptionalText() client_uri?: string;
  @OptionalText() logo_uri?: string;
  @OptionalText() policy_uri?: string;
  @OptionalText() tos_uri?: string;
  @OptionalText() backchannel_logout_uri?: string;
  @OptionalFlag() backchannel_logout_session_required?: boolean;
  /** `client_secret_basic`, `client_secret_post` or `none`. */
  @OptionalText() token_endpoint_auth_method?: string;
  @OptionalFlag() skip_consent?: boolean;
  @OptionalFlag() skip_logout_consent?: boolean;
  /** Replaces `metadata.foyer`; other metadata stays. */
  @OptionalObject() foyer?: Record<string, unknown>;
}

/** A client to register. */
export class NewClientBody extends ClientMembersBody {
  /** Name of a preset that `GET /clients/presets` lists. */
  @Text() preset: string;
  /** Generated if it is left out. */
  @OptionalText() client_id?: string;
}

/** Changes to a client. */
export class ClientPatchBody extends ClientMembersBody {
  /** The `version` of the client that was read before. */
  @Text() version: string;
}

export class ClientListQuery {
  /** Only clients with exactly this name. */
  @OptionalText() name?: string;
  /** Only clients with exactly this owner. */
  @OptionalText() owner?: string;
  /** The `next_cursor` of the previous page. */
  @OptionalMember(Matches(/^[\x21-\x7e]{1,2000}$/, { message: '$property must be the next_cursor of an answer.' }))
  cursor?: string;
  /** Maximum number of clients, up to 200; default: 50. */
  @Limit() limit?: string;
}

export class ClientPeopleQuery {
  /** The `next_cursor` of the previous page. */
  @OptionalMember(
    Matches(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, { message: '$property must be the next_cursor of an answer.' }),
  )
  cursor?: string;
  /** Maximum number of people, up to 200; default: 50. */
  @Limit() limit?: string;
}

/** The person for whom a client is shown. */
export class ClientPreviewQuery {
  /** Id of the account. */
  @Text() account: string;
}
