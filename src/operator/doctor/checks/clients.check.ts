/**
 * Checks whether the clients that settings name exist at Hydra, because a misspelled id makes a setting useless or too strict, and
 * whether `metadata.foyer` of the first 10,000 clients is valid.
 */
import { OryHydraAdapter } from '../../../hydra/ory-hydra.adapter.js';
import { UpstreamError } from '../../../hydra/hydra.errors.js';
import type { Config } from '../../../config/config.js';
import { UNKNOWN_CLASSES, type ClientFault } from '../../../hydra/client-settings.js';
import type { RegisteredClient } from '../../../hydra/inspection/registered-clients.js';
import { hasKnownValue } from '../../../mfa/policy.js';
import type { Check } from '../check.js';
import type { Examination } from '../examination.js';
import { fault, hint, ok, type Finding } from '../finding.js';

const FIX = 'Compare the ids with those at Hydra (hydra list clients), and correct the setting.';

export const clientsCheck: Check = {
  title: 'Clients',
  async run(examination) {
    const { manage, login, app, terms } = examination.config;
    const otherIds = {
      CONFIRM_SESSION_CLIENTS: login.confirmSessionClients,
      CLIENT_LOOKS: app.clientLooks.filter((id) => id !== '*'),
      TERMS: [...new Set(terms.flatMap(({ clients = [] }) => clients))],
    };
    const { inspection } = await examination.upstream();
    if (inspection.admin.state !== 'as-expected') return [];
    const metadataFindings = checkMetadata((await examination.clients()) ?? [], examination.config);
    const configuredIds = [...new Set([...manage.clients, ...Object.values(otherIds).flat()])];
    if (configuredIds.length === 0) return metadataFindings;
    const missingIds = await findMissingIds(configuredIds, examination);
    if (missingIds === null)
      return [
        ...metadataFindings,
        hint('Hydra did not answer the request for the clients that settings name.', 'Run the doctor again.'),
      ];
    const selectMissingIds = (ids: readonly string[]): string[] => ids.filter((id) => missingIds.includes(id));
    const findings = [
      ...checkManageClients(manage.clients, selectMissingIds(manage.clients)),
      ...Object.entries(otherIds).flatMap(([setting, ids]) => selectMissingIds(ids).map((id) => toUnknownFinding(setting, id))),
    ];
    return [...metadataFindings, ...(findings.length > 0 ? findings : [ok('Every client that a setting names exists.')])];
  },
};

function checkMetadata(clients: readonly RegisteredClient[], { mfa }: Config): Finding[] {
  return clients.flatMap(({ id, faults, deviceAcrValues }) => {
    const hasOnlyUnknownValues = deviceAcrValues.length > 0 && !hasKnownValue(deviceAcrValues, mfa);
    return [...faults, ...(hasOnlyUnknownValues ? [UNKNOWN_CLASSES] : [])].map((clientFault) =>
      toMetadataFinding(id, clientFault),
    );
  });
}

function toMetadataFinding(id: string, { member, fault: problem, isRefused }: ClientFault): Finding {
  const what = `metadata.foyer of the client ${JSON.stringify(id)}: ${member} ${problem}`;
  const fix = 'Correct metadata.foyer of the client (docs/integration.md#looks).';
  return isRefused ? fault(`${what}; its requests are refused.`, fix) : hint(`${what} and is ignored.`, fix);
}

const toUnknownFinding = (setting: string, id: string): Finding =>
  hint(`${setting} names ${JSON.stringify(id)}, which is not registered at Hydra.`, FIX);

function checkManageClients(ids: readonly string[], missingIds: readonly string[]): Finding[] {
  if (ids.length > 0 && missingIds.length === ids.length) {
    return [fault('None of the clients in MANAGE_CLIENTS is registered at Hydra: no app can open the account area.', FIX)];
  }
  return missingIds.map((id) => toUnknownFinding('MANAGE_CLIENTS', id));
}

/** @returns null if Hydra does not answer */
async function findMissingIds(ids: readonly string[], { config }: Examination): Promise<string[] | null> {
  const hydra = new OryHydraAdapter(config.hydra);
  const missingIds: string[] = [];
  try {
    for (const id of ids) if ((await hydra.getClient(id)) === null) missingIds.push(id);
    return missingIds;
  } catch (error) {
    if (error instanceof UpstreamError) return null;
    throw error;
  }
}
