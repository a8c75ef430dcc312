/** Answers of the operator API about event sinks. */

/** A sink, and the numbers of its events. */
export interface SinkAnswer {
  name: string;
  /** `removed`: the settings no longer name the sink, and some of its events wait or were given up. */
  state: 'ok' | 'failing' | 'paused' | 'removed';
  /** Null for a sink that was removed. */
  kind: 'webhook' | 'otlp' | 'syslog' | null;
  /** Host and port of its address; null for a sink that was removed. */
  host: string | null;
  /** The kinds of events that the sink receives, as the settings name them. */
  events: string[];
  /** Number of events that wait. Counted up to 1000; 1001 means more. */
  waiting: number;
  /** When the earliest waiting event was queued. */
  waiting_since: string | null;
  /** Number of events of the last 30 days that are not tried again automatically. Counted up to 1000; 1001 means more. */
  dead: number;
  paused_at: string | null;
  /** When the sink began to fail; null if it works, or has not been tried. */
  failing_since: string | null;
  /** When it was last tried. */
  last_at: string | null;
  /** Result of the last try: an HTTP status, or a word such as `timeout`. */
  last_status: string | null;
  /** Beginning of the last answer. */
  last_answer: string | null;
}

/** The sinks in the settings, and removed sinks whose events wait or were given up. */
export interface SinksAnswer {
  sinks: SinkAnswer[];
}

/** An event that was delivered to a sink, waits for it, or was given up. */
export interface DeliveryAnswer {
  /** Id of the event. */
  event: string;
  /** Such as `sign-in.ok`; null if the event was deleted. */
  kind: string | null;
  account_id: string | null;
  /** `dead`: the event is not tried again automatically. */
  state: 'waiting' | 'delivered' | 'dead';
  tries: number;
  queued_at: string;
  /** When it was last tried. */
  tried_at: string | null;
  /** Result of the last try: an HTTP status, or a word such as `timeout`. */
  status: string | null;
  /** Beginning of the answer. */
  answer: string | null;
}

/** A page of deliveries, newest events first. */
export interface DeliveriesAnswer {
  deliveries: DeliveryAnswer[];
  /** Value of `cursor` for the next page; absent on the last page. */
  next_cursor?: string;
}

/** A sink that was paused or resumed, or an event that is sent again. */
export interface SinkChangedAnswer {
  /** False if the sink already had this state, or if the event was already waiting. */
  changed: boolean;
}

/** How many events are sent again. */
export interface SinkReplayedAnswer {
  queued: number;
  /** Value of `cursor` for the next call, which continues; absent when all events have been processed. */
  next_cursor?: string;
}
