/** The provider fails, does not answer in time or refuses this installation, or its answer cannot be read (PRV-4). */
export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable';
}

/** The person declined at the provider (`access_denied`, Apple's `user_cancelled_authorize`). */
export class ProviderCancelled extends Error {
  override readonly name = 'ProviderCancelled';
}

/**
 * The answer proves nothing: it is forged, mixed up or expired, or the provider refused the request. The message is for the log
 * and contains no secrets.
 */
export class ProviderRefused extends Error {
  override readonly name = 'ProviderRefused';
}
