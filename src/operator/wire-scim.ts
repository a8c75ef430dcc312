/** Answers of the operator API about SCIM sources: accounts that are offered to them, and refused calls. */

/** An account that a SCIM source may take over. */
export interface ScimOfferAnswer {
  account_id: string;
  username: string;
  display_name: string;
  /** Id of the source in the settings. */
  source: string;
  /** The `externalId` with which the source takes over the account; null if the verified address of the account decides. */
  external_id: string | null;
  offered_at: string;
  /** `operator`, or `operator:` and the name of a token or the username of an operator. */
  offered_by: string;
  expires_at: string;
}

/** A page of offers, newest first. */
export interface ScimOffersAnswer {
  offers: ScimOfferAnswer[];
  /** Value of `cursor` for the next page; absent on the last page. */
  next_cursor?: string;
}

/** An account that was offered. */
export interface ScimOfferedAnswer {
  account_id: string;
  username: string;
  source: string;
  external_id: string | null;
}

/** The results of a call that offers several accounts. */
export interface ScimOfferedManyAnswer {
  /** How many accounts the call has offered to the source. */
  offered: number;
  /** How many accounts were left out, by cause. */
  left_out: {
    /** Accounts with operator rights. */
    operator_account: number;
    /** Accounts that belong to a user source. */
    has_source: number;
    /** Accounts without a verified address. */
    no_verified_address: number;
  };
  /** Value of `cursor` for the next call, which continues; absent when all accounts have been processed. */
  next_cursor?: string;
}

/** An offer that was withdrawn. */
export interface ScimWithdrawnAnswer {
  account_id: string;
  /** False if there was no offer. */
  withdrawn: boolean;
}

/** The account that conflicts with a refused call, or that the call concerned. */
export interface ScimFaultAccountAnswer {
  id: string;
  username: string;
  display_name: string;
  /** Whether the account belongs to no user source; only then can it be offered. An account with operator rights cannot be offered. */
  can_be_offered: boolean;
  /** Whether an operator has offered the account to the source, which has not taken it over yet. */
  is_offered: boolean;
}

/** A refused call of a SCIM client, and how often it was refused; or a deletion that only disabled the account of an operator. */
export interface ScimFaultAnswer {
  id: string;
  /** When the call was first refused. */
  first_at: string;
  last_at: string;
  times: number;
  /** `POST`, `PUT`, `PATCH` or `DELETE`. */
  method: string;
  /** `User` or `Group`. */
  resource: string;
  /** The person or group that the call concerned, as the client names it, such as `userName:anna`. */
  subject: string;
  /** The `externalId` in `subject`; null if `subject` contains another name. */
  external_id: string | null;
  /**
   * `scimType` of the answer (RFC 7644, section 3.12), or its status; `operator` for a deletion that only disabled the account of an operator.
   */
  code: string;
  /** The attribute that is wrong; null if no attribute is. */
  field: string | null;
  /** One English sentence. */
  detail: string;
  account: ScimFaultAccountAnswer | null;
}

/**
 * A page of refused calls, latest first. A call is stored for 30 days, or until the same call succeeds. A call with the code `403` stays,
 * even if the same call succeeds.
 */
export interface ScimFaultsAnswer {
  faults: ScimFaultAnswer[];
  /** Value of `cursor` for the next page; absent on the last page. */
  next_cursor?: string;
}

/** A refused call that is no longer listed. */
export interface ScimDismissedAnswer {
  id: string;
}
