/** Answers of the operator API about SCIM sources: accounts that are offered to them, and refused calls. */

/** An account that a SCIM source may take. */
export interface ScimOfferAnswer {
  account_id: string;
  username: string;
  display_name: string;
  /** Id of the source in the settings. */
  source: string;
  /** The `externalId` with which the source takes it; null: with the verified address of the account. */
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

/** What became of the accounts of one call. */
export interface ScimOfferedManyAnswer {
  /** How many accounts the source may take. */
  offered: number;
  /** How many were left out, by the cause. */
  left_out: {
    /** They have rights of an operator. */
    operator_account: number;
    /** They belong to a user source. */
    has_source: number;
    /** They have no verified address. */
    no_verified_address: number;
  };
  /** Value of `cursor` for the next call, which goes on; absent when all accounts were looked at. */
  next_cursor?: string;
}

/** An offer that was taken back. */
export interface ScimWithdrawnAnswer {
  account_id: string;
  /** False if there was none. */
  withdrawn: boolean;
}

/** The account that is in the way of a refused call, or that it was about. */
export interface ScimFaultAccountAnswer {
  id: string;
  username: string;
  display_name: string;
  /** Whether it may be offered to the source: it belongs to no user source. */
  can_be_offered: boolean;
  /** Whether an operator has offered it to the source, which has not taken it yet. */
  is_offered: boolean;
}

/** A call of a SCIM client that was refused, as often as it was. */
export interface ScimFaultAnswer {
  id: string;
  /** When it was refused for the first time. */
  first_at: string;
  last_at: string;
  times: number;
  /** `POST`, `PUT`, `PATCH` or `DELETE`. */
  method: string;
  /** `User` or `Group`. */
  resource: string;
  /** Whom or what the call was about, as the client names it, such as `userName:anna`. */
  subject: string;
  /** The `externalId` of the person; null if the call did not name it. */
  external_id: string | null;
  /** `scimType` of the answer (RFC 7644, section 3.12), or its status. */
  code: string;
  /** The attribute that is wrong; null if no attribute is. */
  field: string | null;
  /** One English sentence. */
  detail: string;
  account: ScimFaultAccountAnswer | null;
}

/** A page of refused calls, the last one first. They are kept for 30 days, or until the same call succeeds. */
export interface ScimFaultsAnswer {
  faults: ScimFaultAnswer[];
  /** Value of `cursor` for the next page; absent on the last page. */
  next_cursor?: string;
}

/** A refused call that is not listed any more. */
export interface ScimDismissedAnswer {
  id: string;
}
