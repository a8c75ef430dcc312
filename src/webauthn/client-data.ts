/** The unverified data of the browser about a ceremony (`CollectedClientData`, WebAuthn Level 3, section 5.8.1). */
export interface ClientData {
  /** Base64url. */
  challenge: string;
  /** Whether the page of the ceremony is not embedded in a page of another origin. */
  isOwnFrame: boolean;
}

/** @param encodedText `clientDataJSON`, base64url @returns null if the data cannot be parsed, or contain no challenge */
export function parseClientData(encodedText: string): ClientData | null {
  try {
    const data: unknown = JSON.parse(Buffer.from(encodedText, 'base64url').toString('utf8'));
    if (typeof data !== 'object' || data === null) return null;
    const { challenge, crossOrigin = false, topOrigin }: Partial<Record<string, unknown>> = { ...data };
    // The library does not check these members at a registration, and accepts some framed pages at an authentication.
    return typeof challenge === 'string' ? { challenge, isOwnFrame: crossOrigin === false && topOrigin === undefined } : null;
  } catch {
    return null;
  }
}
