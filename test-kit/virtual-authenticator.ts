/**
 * Adds a security key to a real Chromium, for tests with Playwright or another tool with the same interface. Imports no package.
 */
interface DevTools {
  send(method: string, params?: object): Promise<unknown>;
}

interface BrowserPage {
  context(): { newCDPSession(page: never): Promise<DevTools> };
}

export interface VirtualAuthenticator {
  /** Sets whether the key answers, as if the person touched it. */
  setPresence(present: boolean): Promise<void>;
  remove(): Promise<void>;
}

/**
 * Adds an authenticator that answers the `navigator.credentials` calls of this page. It has no user verification and stores no passkeys, so
 * it cannot answer calls that require either.
 */
export async function addVirtualAuthenticator(page: BrowserPage): Promise<VirtualAuthenticator> {
  const devTools = await page.context().newCDPSession(page as never);
  await devTools.send('WebAuthn.enable');
  const options = { protocol: 'ctap2', transport: 'usb', hasResidentKey: false, hasUserVerification: false };
  const { authenticatorId } = (await devTools.send('WebAuthn.addVirtualAuthenticator', {
    options: { ...options, automaticPresenceSimulation: true },
  })) as { authenticatorId: string };
  return {
    setPresence: async (enabled) => {
      await devTools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled });
    },
    remove: async () => {
      await devTools.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId });
    },
  };
}
