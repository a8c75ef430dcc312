/** Unreachable, slow, or an unreadable answer. Disables only the button of this provider (PRV-4). */
export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable';
}

/** The person declined at the provider (`access_denied`, Apple's `user_cancelled_authorize`). */
export class ProviderCancelled extends Error {
  override readonly name = 'ProviderCancelled';
}

/**
 * The answer proves nothing: forged, mixed up, expired, or refused by the provider. The message is for the log, without
 * secrets.
 */
export class ProviderRefused extends Error {
  override readonly name = 'ProviderRefused';
}
