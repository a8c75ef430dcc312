/**
 * Checks device authorization (RFC 8628): whether Hydra supports it, and to which pages Hydra redirects people, by following a real
 * request. If no client is registered for devices, a page that is not set is only a hint.
 */
import type { DevicePage, DeviceInspection } from '../../../hydra/inspection/inspect-device-authorization.js';
import { DEVICE_PAGES } from '../../cli/init/upstream-pages.js';
import type { Check } from '../check.js';
import type { Examination } from '../examination.js';
import { fault, hint, ok, type Finding } from '../finding.js';
import { isFallbackPage, toPageFindings } from '../page-finding.js';

/** What happens to people if a page is not set. */
const CONSEQUENCES: Record<DevicePage, string> = {
  deviceVerification: 'a person who opens the address of a device sees a page of Hydra and cannot enter the code',
  deviceSuccess: 'a person who has allowed the access of a device sees a page of Hydra',
};
const PAGES: readonly DevicePage[] = ['deviceVerification', 'deviceSuccess'];
const MAX_CLIENTS = 3;

export const devicesCheck: Check = {
  title: 'Devices',
  async run(examination) {
    const { inspection } = await examination.upstream();
    const authorization = await examination.authorization();
    if (authorization === null || inspection.public.state !== 'as-expected') return [];
    const clients = await findClients(examination);
    if (!inspection.public.hasDevices) return [explainNoDevices(clients)];
    // The findings about the sign-in must be fixed first.
    if (authorization.trouble !== null) return [];
    return toFindings(await examination.deviceAuthorization(), examination.config.publicUrl, clients);
  },
};

/** @returns ids of clients that may use device authorization; an empty list if Hydra does not list its clients */
async function findClients(examination: Examination): Promise<string[]> {
  const clients = (await examination.clients()) ?? [];
  return clients.filter(({ isForDevices }) => isForDevices).map(({ id }) => id);
}

function explainNoDevices(clients: readonly string[]): Finding {
  if (clients.length === 0) return ok('This Hydra has no device authorization, which v25.4 introduced; no client needs it.');
  return hint(`${describeClients(clients)}, but this Hydra has no device authorization.`, 'Update Hydra to v25.4 or later.');
}

function toFindings(
  { pages, trouble, remainingClientId }: DeviceInspection,
  publicUrl: string,
  clients: readonly string[],
): Finding[] {
  const isUsed = clients.length > 0;
  const buildFinding = isUsed ? fault : hint;
  const clientNote = isUsed ? ` (${describeClients(clients)})` : '';
  const findings = PAGES.flatMap((name) => {
    const actual = pages[name];
    const consequence = `${CONSEQUENCES[name]}${clientNote}`;
    return toPageFindings({
      page: DEVICE_PAGES[name],
      publicUrl,
      actual,
      isUnset: isFallbackPage(actual),
      toUnsetFinding: buildFinding,
      consequence,
    });
  });
  if (trouble !== null) {
    findings.push(
      buildFinding(
        `The sign-in of a device could not be tested completely: ${trouble}.`,
        'Make /oauth2/device/auth and /oauth2/device/verify of Hydra reachable at HYDRA_PUBLIC_URL, and run the doctor again.',
      ),
    );
  }
  if (remainingClientId !== null) {
    findings.push(
      hint(`The test client ${remainingClientId} could not be deleted.`, `Run: hydra delete client ${remainingClientId}`),
    );
  }
  return findings;
}

function describeClients(clients: readonly string[]): string {
  const ids = clients.slice(0, MAX_CLIENTS).map((id) => JSON.stringify(id));
  const more = clients.length > MAX_CLIENTS ? ` and ${clients.length - MAX_CLIENTS} more` : '';
  return `${ids.join(', ')}${more} ${clients.length === 1 ? 'is' : 'are'} registered for devices`;
}
