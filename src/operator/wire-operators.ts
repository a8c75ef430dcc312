/** Answers of the operator API about operators and their rights. */
import type { OperatorRights } from '../config/config.js';

/** A right of an operator, and where it comes from. */
export interface OperatorRightAnswer {
  right: OperatorRights;
  /** `setting`: through a group or an attribute (OPERATORS). */
  by: 'grant' | 'setting';
  /** Null for a right through the setting. */
  granted_at: string | null;
  /** `operator`, or `operator:` and the name of a token or the username of an operator; null for a right through the setting. */
  granted_by: string | null;
  /** Null if the right does not end. */
  ends_at: string | null;
  reason: string | null;
}

/** An account and its operator rights. */
export interface OperatorAnswer {
  account_id: string;
  username: string;
  display_name: string;
  /** A disabled account regains its rights when it is enabled. */
  status: 'active' | 'disabled';
  /** Rights that have ended are left out; empty if the account has no right. */
  rights: OperatorRightAnswer[];
}

/** A page of operators, ordered by username. */
export interface OperatorListAnswer {
  operators: OperatorAnswer[];
  /** Value of `cursor` for the next page; absent on the last page. */
  next_cursor?: string;
}

/** A session of an operator in the console. */
export interface OperatorSessionAnswer {
  id: string;
  account_id: string;
  username: string;
  began_at: string;
  /** Last activity of the operator, to half a minute; calls that the page makes on its own do not count. */
  seen_at: string;
  /** When the operator last proved who they are. */
  proven_at: string;
  expires_at: string;
  /** Authentication context class of the sign-in. */
  acr: string;
  /** IP address of the browser. */
  address: string | null;
  /** Browser and operating system as the browser reports them, such as `Firefox, Windows`. */
  browser: string | null;
}

/** The sessions of operators in the console. */
export interface OperatorSessionListAnswer {
  /** Newest first; at most 200. */
  sessions: OperatorSessionAnswer[];
}

/** The result of ending a session of an operator. */
export interface OperatorSessionEndedAnswer {
  ended: number;
}
