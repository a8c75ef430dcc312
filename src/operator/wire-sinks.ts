/** Answers of the operator API about event sinks. */

/** A sink, and what waits for it. */
export interface SinkAnswer {
  name: string;
  /** `removed`: the settings do not name it any more, and something waits for it or was given up. */
  state: 'ok' | 'failing' | 'paused' | 'removed';
  /** Null for a sink that was removed. */
  kind: 'webhook' | 'otlp' | 'syslog' | null;
  /** Host and port of its address; null for a sink that was removed. */
  host: string | null;
  /** The kinds of events that it gets, as the settings name them. */
  events: string[];
  /** Number of events that wait. Counted up to 1000; 1001 stands for more. */
  waiting: number;
  /** When the earliest of them was queued. */
  waiting_since: string | null;
  /** Number of events of the last 30 days that are not tried again by themselves. Counted up to 1000; 1001 stands for more. */
  dead: number;
  paused_at: string | null;
  /** When it began to fail; null if it works, or has not been tried. */
  failing_since: string | null;
  /** When it was last tried. */
  last_at: string | null;
  /** What the last try ended with: a status of HTTP, or words such as `timeout`. */
  last_status: string | null;
  /** Beginning of the last answer. */
  last_answer: string | null;
}

/** The sinks of the settings, and those that were removed as long as something waits for them. */
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
  /** `dead`: it is not tried again by itself. */
  state: 'waiting' | 'delivered' | 'dead';
  tries: number;
  queued_at: string;
  /** When it was last tried. */
  tried_at: string | null;
  /** What the last try ended with: a status of HTTP, or words such as `timeout`. */
  status: string | null;
  /** Beginning of the answer. */
  answer: string | null;
}

/** A page of deliveries, those of the newest events first. */
export interface DeliveriesAnswer {
  deliveries: DeliveryAnswer[];
  /** Value of `cursor` for the next page; absent on the last page. */
  next_cursor?: string;
}

/** A sink that was paused, or goes on. */
export interface SinkChangedAnswer {
  /** False if it was so already. */
  changed: boolean;
}

/** How many events are sent again. */
export interface SinkReplayedAnswer {
  queued: number;
  /** Value of `cursor` for the next call, which goes on; absent when all events were looked at. */
  next_cursor?: string;
}
