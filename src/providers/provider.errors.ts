/** It is down, slow, or answers what nobody can read. Costs its own button only (PRV-4). */
export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable';
}

/** The person said no over there (`access_denied`, Apple's `user_cancelled_authorize`). */
export class ProviderCancelled extends Error {
  override readonly name = 'ProviderCancelled';
}

/** An answer that proves nothing: forged, mixed up, stale, or the provider's own refusal. The message is for the log, without secrets. */
export class ProviderRefused extends Error {
  override readonly name = 'ProviderRefused';
}
