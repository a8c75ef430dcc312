import type { SinkEvent } from './sink-event.js';

/** What a receiver answered to one try. */
export interface DeliveryAnswer {
  isDelivered: boolean;
  /** For people, short: an HTTP status such as `204`, or words such as `timeout`, `certificate of another host`. */
  status: string;
  /** The receiver takes events, but not this one. */
  isRefused?: true;
  /** Beginning of the answer's body, at most 500 characters, without control characters and without what may not be shown. */
  body: string;
  /** Seconds to wait at least before the next try (Retry-After), if the receiver said so. */
  retryAfterSeconds?: number;
}

export interface Transport {
  /** Never throws: each failure is an answer. Ends after ten seconds at most. */
  deliver(event: SinkEvent): Promise<DeliveryAnswer>;
  /** Closes its connections. */
  close(): Promise<void>;
}
