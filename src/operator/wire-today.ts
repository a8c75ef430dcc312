/** Answers of the operator API about what may need attention. */

export type TodayKind =
  | 'health'
  | 'sources'
  | 'sinks'
  | 'scim-refused'
  | 'approvals'
  | 'sign-ups'
  | 'wrong-passwords'
  | 'accounts-frozen'
  | 'mails-abandoned'
  | 'mails-waiting'
  | 'admins-ending'
  | 'tokens-used';

/** Something that may need attention. */
export interface TodayRowAnswer {
  kind: TodayKind;
  /** Counted up to 1000; 1001 means more. */
  count: number;
  /** Names of the counted items, if they have any: parts of the installation, sources, sinks, tokens, usernames of operators. At most 10. */
  names: string[];
  /** Id of the waiting approval, if there is only one; null for everything else. */
  id: string | null;
  /** Start of the counted period; null if the count concerns the current state. */
  since: string | null;
}

/** What may need attention, limited by the rights of the operator. Empty if nothing does. */
export interface TodayAnswer {
  rows: TodayRowAnswer[];
}
