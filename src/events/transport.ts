import type { SinkEvent } from './sink-event.js';

/** The answer of a receiver to one try. */
export interface DeliveryAnswer {
  isDelivered: boolean;
  /** A short text for people: an HTTP status such as `204`, or words such as `timeout` or `certificate of another host`. */
  status: string;
  /** Present if the receiver refused this event, but may accept others. */
  isRefused?: true;
  /**
   * Beginning of the answer's body: at most 500 characters, without control characters, secrets or e-mail addresses, and without the
   * username and the subject of the person.
   */
  body: string;
  /** Minimum number of seconds before the next try (Retry-After), if the receiver sent it. */
  retryAfterSeconds?: number;
}

export interface Transport {
  /** Delivers one event within ten seconds. Never throws: each failure is an answer. */
  deliver(event: SinkEvent): Promise<DeliveryAnswer>;
  /** Closes the connections to the receiver. */
  close(): Promise<void>;
}
