/** Answers of the operator API about terms (`TERMS`), and who has accepted them. */
import type { Locale } from '../contract/locale.js';

/** The title and the hash of the text of terms in one language. */
export interface TermsTitleAnswer {
  language: Locale;
  /** The first line of the text. */
  title: string;
  /** Hash of the file, in hexadecimal digits. */
  sha256: string;
}

/** Terms in the settings. */
export interface TermsAnswer {
  id: string;
  /** People who accepted another version are asked again. */
  version: string;
  /** The clients whose people accept the terms; null for every client. */
  client_ids: string[] | null;
  /** Before this time nobody is asked; null if people are asked at once. */
  from: string | null;
  /** Until this time people may postpone the acceptance; null if they may not. */
  later_until: string | null;
  /** In the order of the setting. */
  texts: TermsTitleAnswer[];
}

/** The terms in the settings, in their order. */
export interface TermsListAnswer {
  terms: TermsAnswer[];
}

/** A text as people see it. */
export interface TermsTextAnswer {
  sha256: string;
  text: string;
}

/** A version of terms that a person has accepted. */
export interface AcceptanceAnswer {
  /** Id of the terms in the settings. */
  terms: string;
  version: string;
  /** Hash of the text that the person has seen, in hexadecimal digits. */
  sha256: string;
  /** Language of the text. */
  language: string;
  /** The client that the person was signing in to. */
  client_id: string;
  accepted_at: string;
  /** Null if the person has not withdrawn the acceptance. */
  withdrawn_at: string | null;
  /** `request_id` of the event in the audit log. */
  request_id: string | null;
}

/** A page of acceptances, newest first. */
export interface AcceptanceListAnswer {
  acceptances: AcceptanceAnswer[];
  /** Value of `cursor` for the next page; absent on the last page. */
  next_cursor?: string;
}
