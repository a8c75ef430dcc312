/** Answers about clients of Hydra. Members that Hydra also has use its names. Only the answer that creates a secret contains it. */

/** A client of Hydra, in a list. */
export interface ClientSummaryAnswer {
  client_id: string;
  /** Without direction marks and invisible characters. */
  client_name: string;
  owner: string;
  /** Whether the client has no secret. */
  is_public: boolean;
  /** Whether Foyer registers this client itself, for its console. Such a client cannot be changed here. */
  is_own: boolean;
  /** Null if Hydra does not report it. */
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
  /** Scopes that the client may request, separated by spaces. */
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
  /** Whether people are not asked for consent. */
  skip_consent: boolean;
  skip_logout_consent: boolean;
  /** `metadata.foyer` of the client; other metadata is not shown. */
  foyer: Readonly<Record<string, unknown>>;
  /** The faults of `foyer`, as sentences. */
  foyer_faults: string[];
  /** A change must contain this value, so that it does not overwrite another change that was made meanwhile. */
  version: string;
}

/** A new client. */
export interface NewClientAnswer {
  client: ClientAnswer;
  /** Shown only once; null for a client without a secret. */
  client_secret: string | null;
}

/** The new secret of a client. */
export interface ClientSecretAnswer {
  client_id: string;
  /** Shown only once. */
  client_secret: string;
  /** Until when the former secret works; null because Hydra ends it immediately. */
  former_secret_valid_until: string | null;
}

/** The result of deleting a client. */
export interface ClientDeletedAnswer {
  client_id: string;
}

/** A kind of app that can be registered. */
export interface ClientPresetAnswer {
  name: string;
  about: string;
  /** Whether an app of this kind has a secret. */
  has_secret: boolean;
  /** Members that are required. */
  requires: string[];
  scope: string;
}

/** The kinds of apps that can be registered. */
export interface ClientPresetListAnswer {
  presets: ClientPresetAnswer[];
}

/** A person who has granted access to a client. */
export interface ClientPersonAnswer {
  account_id: string;
  username: string;
  display_name: string;
  /** Scopes that the person granted. */
  scopes: string[];
  /** When the first scope was granted. */
  granted_at: string;
  /** Until when at least one of the scopes is remembered if the person does not use the app. */
  expires_at: string;
}

/** A page of the people who have granted access to a client, ordered by account id. */
export interface ClientPersonListAnswer {
  people: ClientPersonAnswer[];
  /** Whether people are not asked for consent. Only people who were asked earlier are then listed. */
  is_trusted: boolean;
  /** Value of `cursor` for the next page; absent on the last page. */
  next_cursor?: string;
}

/** The result of revoking a client's access to an account. */
export interface AppRemovedAnswer {
  account_id: string;
  client_id: string;
}

/** A claim that a client would receive. */
export interface PreviewedClaimAnswer {
  claim: string;
  /** From the setting CLAIMS; null for the page's own text. */
  title: string | null;
  /** Any JSON value. */
  value: string | number | boolean | unknown[] | Readonly<Record<string, unknown>>;
}

/** A scope as a person would see it on the consent page. */
export interface PreviewedScopeAnswer {
  scope: string;
  /** From the setting CONSENT_SCOPES; null for the page's own text. */
  title: string | null;
  description: string | null;
  /** Whether the page has a text for the scope. */
  is_known: boolean;
  is_required: boolean;
  /** Whether the page warns of the scope. */
  is_far_reaching: boolean;
  claims: PreviewedClaimAnswer[];
}

/** What a person would see of a client, and which claims the client would receive. No token is issued, and nothing is stored. */
export interface ClientPreviewAnswer {
  client_id: string;
  /** The name that pages show: the name in the client's own look, if the pages use one, otherwise `client_name`. */
  shown_name: string;
  /** Addresses that pages would use; null for an address that they omit. */
  logo_address: string | null;
  logo_dark_address: string | null;
  home_address: string | null;
  policy_address: string | null;
  tos_address: string | null;
  /** Colours and corners of the client's look; null if the pages use those of the installation. */
  brand_colour: string | null;
  brand_colour_dark: string | null;
  brand_radius: string | null;
  /** Whether people are asked for consent. */
  asks_consent: boolean;
  /** Whether a sign-in always requires a second factor. */
  requires_second_factor: boolean;
  scopes: PreviewedScopeAnswer[];
  /** Claims of the ID token and of userinfo if all scopes are granted. */
  id_token: Readonly<Record<string, unknown>>;
  access_token: Readonly<Record<string, unknown>>;
  /** Size of the claims, and the maximum. */
  bytes: number;
  most_bytes: number;
}
