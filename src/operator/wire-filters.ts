/** Answers about saved filters. */

/** A filter that an operator has saved under a name. */
export interface SavedFilterAnswer {
  id: string;
  page: 'people' | 'activity';
  name: string;
  /** The parameters of the list: of accounts for `people`, of the audit log for `activity`. */
  filter: Readonly<Record<string, string>>;
  saved_at: string;
}

/** The saved filters of the requesting operator or token, ordered by page and name. */
export interface SavedFilterListAnswer {
  filters: SavedFilterAnswer[];
}

/** The result of removing a saved filter. */
export interface SavedFilterRemovedAnswer {
  removed: number;
}
