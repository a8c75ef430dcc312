/**
 * Performs one device authorization (RFC 8628) at Hydra, as the device and as the browser, with a temporary client and a
 * made-up person, and records the pages to which Hydra redirects. Client, session and consents are removed afterwards, also after an error.
 */
import type { Config } from '../../config/config.js';
import { explainNetworkError } from '../../config/system-error.js';
import { OryHydraAdapter } from '../ory-hydra.adapter.js';
import { toObjectOrEmpty, readOptionalText } from '../wire.js';
import { getChallenge, describeHop, findTrouble } from './inspect-authorization.js';
import { DEVICE_GRANT, MADE_UP_GRANT, TemporaryClient } from './temporary-client.js';
import { InspectionStopped, InspectionBrowser } from './inspection-browser.js';

export type DevicePage = 'deviceVerification' | 'deviceSuccess';

export interface DeviceInspection {
  /** Addresses without query; an absent page was not seen. */
  pages: Partial<Record<DevicePage, string>>;
  /** A phrase that states why the inspection ended early; null if it did not. */
  trouble: string | null;
  /** Id of the client if Hydra reports that it still exists. */
  remainingClientId: string | null;
}

export async function inspectDeviceAuthorization(settings: Config['hydra']): Promise<DeviceInspection> {
  const hydra = new OryHydraAdapter(settings);
  const client = new TemporaryClient(settings, hydra);
  const pages: DeviceInspection['pages'] = {};
  let trouble: string | null = null;
  let remainingClientId: string | null;
  try {
    await recordPages(pages, { settings, hydra, client });
  } catch (error) {
    trouble = findTrouble(error);
  } finally {
    remainingClientId = await client.remove();
  }
  return { pages, trouble, remainingClientId };
}

interface Parts {
  settings: Config['hydra'];
  hydra: OryHydraAdapter;
  client: TemporaryClient;
}

async function recordPages(pages: DeviceInspection['pages'], { settings, hydra, client }: Parts): Promise<void> {
  const browser = new InspectionBrowser(new URL(settings.publicUrl).origin, settings.timeoutMs);
  await client.create([DEVICE_GRANT]);
  const verification = await browser.go(client.publicUrl('/oauth2/device/verify'));
  const deviceChallenge = getChallenge(verification, 'device');
  if (verification.location) pages.deviceVerification = buildAddress(verification.location);
  const redirectUrl = await hydra.acceptDevice(deviceChallenge, await requestUserCode(client, settings.timeoutMs));
  const loginChallenge = getChallenge(await browser.go(redirectUrl), 'login');
  const consentUrl = await hydra.acceptLogin(loginChallenge, client.madeUpLogin);
  const consentChallenge = getChallenge(await browser.go(consentUrl), 'consent');
  const end = await browser.go(await hydra.acceptConsent(consentChallenge, MADE_UP_GRANT));
  if (end.location === null)
    throw new InspectionStopped(`Hydra answered with ${describeHop(end)} instead of a redirect to the page after the consent`);
  pages.deviceSuccess = buildAddress(end.location);
}

/** Requests a code as the device. @returns the code that a person would type */
async function requestUserCode(client: TemporaryClient, timeoutMs: number): Promise<string> {
  const answer = await fetch(client.publicUrl('/oauth2/device/auth'), {
    method: 'POST',
    body: new URLSearchParams({ client_id: client.id, scope: 'openid' }),
    redirect: 'manual',
    headers: { Connection: 'close' },
    signal: AbortSignal.timeout(timeoutMs),
  }).catch((error: unknown) => {
    throw new InspectionStopped(`the device received no code (${explainNetworkError(error)})`);
  });
  const body: unknown = await answer.json().catch(() => null);
  const code = readOptionalText(toObjectOrEmpty(body), 'user_code');
  if (code === undefined)
    throw new InspectionStopped(`Hydra answered with status ${answer.status} instead of a code for the device`);
  return code;
}

function buildAddress({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}
