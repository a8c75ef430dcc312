/** Answers of the operator API about the installation: its user sources, the doctor, its settings. */

/** The result of a check. Contains no secrets. */
export interface FindingAnswer {
  /** `hint`: works, but could be better or could not be checked. `fault`: fails. */
  level: 'ok' | 'hint' | 'fault';
  /** One English sentence. */
  what: string;
  /** How to fix it. */
  fix?: string;
}

/** A user source or provider, and whether it can be used. */
export interface SourceStateAnswer {
  /** Its id in the settings. */
  id: string;
  name: string;
  type: 'ldap' | 'http' | 'provider' | 'scim';
  state: 'ok' | 'hint' | 'fault';
  findings: FindingAnswer[];
  /** The state of a SCIM source; null for every other source. */
  scim: ScimStateAnswer | null;
}

/** The state of a SCIM source. Numbers are counted up to 100,000; 100,001 means more. */
export interface ScimStateAnswer {
  /** When the source made its last request, to the minute; null if it has not made a request yet. */
  last_request_at: string | null;
  people: number;
  groups: number;
  /** Accounts that the source may take over. */
  offers: number;
  /** Refused requests; a request that is refused again for the same cause counts once. */
  refused: number;
}

/** The user sources and providers of the settings. */
export interface SourceStatesAnswer {
  /** When the sources were checked; a result is reused for some seconds. */
  checked_at: string;
  sources: SourceStateAnswer[];
}

/** A finding of the doctor. */
export interface DoctorFindingAnswer extends FindingAnswer {
  /** The heading of the check. */
  check: string;
}

/** How many findings there are of each level. */
export interface DoctorCountsAnswer {
  ok: number;
  hint: number;
  fault: number;
}

/** The findings of the doctor, as `foyer doctor --json` prints them. */
export interface DoctorAnswer {
  status: 'ok' | 'fault';
  counts: DoctorCountsAnswer;
  findings: DoctorFindingAnswer[];
}

/** A setting of the gateway that answers. */
export interface SettingAnswer {
  name: string;
  /** Heading of the documents. */
  group: string;
  about: string;
  /** Where the value comes from. `default`: the setting is not set. */
  origin: 'environment' | 'file' | 'default';
  /** The path of the file that NAME_FILE names; otherwise null. */
  file: string | null;
  /** Whether the value is a secret, which is never shown. */
  secret: boolean;
  /**
   * The given value without passwords and secret parameters of addresses, cut to 2000 characters; null for a secret, for a file, and for a
   * setting that is not set.
   */
  value: string | null;
  /** The value that applies if the setting is not set, or a description of what then applies; null if there is none. */
  default: string | null;
}

/** All settings, in the order of the documents. */
export interface SettingsAnswer {
  settings: SettingAnswer[];
}
