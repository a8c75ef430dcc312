/** Answers of the operator API about what needs a hand. */

export type TodayKind =
  | 'health'
  | 'sources'
  | 'sinks'
  | 'scim-refused'
  | 'approvals'
  | 'wrong-passwords'
  | 'accounts-frozen'
  | 'mails-abandoned'
  | 'mails-waiting'
  | 'admins-ending'
  | 'tokens-used';

/** Something that may need a hand. */
export interface TodayRowAnswer {
  kind: TodayKind;
  /** Counted up to 1000; 1001 stands for more. */
  count: number;
  /** What was counted, as far as it has names: parts of the installation, sources, tokens, usernames of operators. At most 10. */
  names: string[];
  /** Id of the approval that waits, if there is one only; null for everything else. */
  id: string | null;
  /** When the count begins; null if it is about now. */
  since: string | null;
}

/** What may need a hand, as far as the rights of the operator reach. Empty if nothing does. */
export interface TodayAnswer {
  rows: TodayRowAnswer[];
}
