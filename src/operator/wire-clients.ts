/** Answers about clients of Hydra. Members that Hydra has too have its names. Secrets are in the answers that create them only. */

/** A client of Hydra, in a list. */
export interface ClientSummaryAnswer {
  client_id: string;
  /** Without direction marks and invisible characters. */
  client_name: string;
  owner: string;
  /** Whether the client has no secret. */
  is_public: boolean;
  /** Foyer registers this client itself, for its console; it cannot be changed here. */
  is_own: boolean;
  /** Null if Hydra does not say. */
  created_at: string | null;
  updated_at: string | null;
}

/** A page of clients, in the order of Hydra. */
export interface ClientListAnswer {
  clients: ClientSummaryAnswer[];
  /** Value of `cursor` for the next page; absent on the last page. */
  next_cursor?: string;
}

/** A client of Hydra. Texts that are not set are empty. */
export interface ClientAnswer extends ClientSummaryAnswer {
  redirect_uris: string[];
  post_logout_redirect_uris: string[];
  allowed_cors_origins: string[];
  /** Scopes that the client may request, separated by blanks. */
  scope: string;
  audience: string[];
  contacts: string[];
  grant_types: string[];
  response_types: string[];
  token_endpoint_auth_method: string;
  client_uri: string;
  logo_uri: string;
  policy_uri: string;
  tos_uri: string;
  backchannel_logout_uri: string;
  backchannel_logout_session_required: boolean;
  /** Nobody is asked for consent. */
  skip_consent: boolean;
  skip_logout_consent: boolean;
  /** `metadata.foyer` of the client; other metadata is not shown. */
  foyer: Readonly<Record<string, unknown>>;
  /** What Foyer cannot read in `foyer`, as sentences. */
  foyer_faults: string[];
  /** Sent with a change, so that it does not overwrite what was changed meanwhile. */
  version: string;
}

/** A new client. */
export interface NewClientAnswer {
  client: ClientAnswer;
  /** Shown this once; null for a client without a secret. */
  client_secret: string | null;
}

/** The new secret of a client. */
export interface ClientSecretAnswer {
  client_id: string;
  /** Shown this once. */
  client_secret: string;
  /** Until when the former secret works; null because Hydra ends it at once. */
  former_secret_valid_until: string | null;
}

/** The result of deleting a client. */
export interface ClientDeletedAnswer {
  client_id: string;
}

/** A kind of apps that can be registered. */
export interface ClientPresetAnswer {
  name: string;
  about: string;
  /** Whether an app of this kind has a secret. */
  has_secret: boolean;
  /** Members that have to be given. */
  requires: string[];
  scope: string;
}

/** The kinds of apps that can be registered. */
export interface ClientPresetListAnswer {
  presets: ClientPresetAnswer[];
}
