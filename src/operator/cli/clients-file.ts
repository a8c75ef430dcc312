/**
 * Reads the file of `foyer clients plan|apply`, which describes clients, and compares it with the clients at Hydra. Nothing here calls
 * Hydra, so the whole file is checked before the first change.
 */
import { findPreset, CLIENT_PRESETS } from '../clients/client-presets.js';
import { findClientFaults, findClientIdFault, type ClientChanges } from '../clients/client-rules.js';
import type { ClientAnswer } from '../wire-clients.js';

/** A client in the file. Members that the file omits keep their values at Hydra. */
export interface DescribedClient {
  id: string;
  preset: string;
  changes: ClientChanges;
}

export type PlannedStep =
  | { action: 'create'; client: DescribedClient }
  | { action: 'change'; id: string; version: string; changes: ClientChanges }
  | { action: 'unchanged' | 'delete'; id: string };

type Members = Readonly<Record<string, unknown>>;

const TYPES: Readonly<Record<keyof ClientChanges, 'text' | 'list' | 'flag' | 'object'>> = {
  client_name: 'text',
  owner: 'text',
  redirect_uris: 'list',
  post_logout_redirect_uris: 'list',
  allowed_cors_origins: 'list',
  scope: 'text',
  audience: 'list',
  contacts: 'list',
  client_uri: 'text',
  logo_uri: 'text',
  policy_uri: 'text',
  tos_uri: 'text',
  backchannel_logout_uri: 'text',
  backchannel_logout_session_required: 'flag',
  token_endpoint_auth_method: 'text',
  skip_consent: 'flag',
  skip_logout_consent: 'flag',
  foyer: 'object',
};

const RULES = {
  text: { sentence: 'must be a string', isValid: (value: unknown) => typeof value === 'string' },
  list: {
    sentence: 'must be a list of strings',
    isValid: (value: unknown) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
  },
  flag: { sentence: 'must be true or false', isValid: (value: unknown) => typeof value === 'boolean' },
  object: { sentence: 'must be an object', isValid: isMembers },
} as const;

/**
 * @param content the parsed file
 * @returns the clients, and a sentence for each fault, with the position of the client that it concerns; if there are faults, the
 * list of clients may be incomplete
 */
export function readClientsFile(content: unknown): { clients: DescribedClient[]; faults: string[] } {
  if (!isMembers(content) || !Array.isArray(content['clients'])) {
    return { clients: [], faults: ['The file must be an object with the list "clients".'] };
  }
  const unknownNames = Object.keys(content).filter((name) => name !== 'clients');
  const faults = unknownNames.map((name) => `${JSON.stringify(name)} is unknown; the file may only contain "clients".`);
  const clients: DescribedClient[] = [];
  for (const [index, entry] of (content['clients'] as unknown[]).entries()) {
    const client = readClient(entry, (sentence) => faults.push(`clients[${index}]: ${sentence}`));
    if (client && clients.some(({ id }) => id === client.id))
      faults.push(`clients[${index}]: the client_id occurs twice in the file.`);
    if (client) clients.push(client);
  }
  return { clients, faults };
}

function readClient(entry: unknown, report: (sentence: string) => void): DescribedClient | null {
  if (!isMembers(entry)) {
    report('must be an object.');
    return null;
  }
  const { client_id: id, preset: name, ...members } = entry;
  const idFault = typeof id === 'string' ? findClientIdFault(id) : 'must be a string';
  if (idFault !== null) report(`client_id ${idFault}.`);
  const preset = typeof name === 'string' ? findPreset(name) : undefined;
  if (!preset) report(`preset must be one of ${CLIENT_PRESETS.map((item) => item.name).join(', ')}.`);
  const changes = readMembers(members, report);
  const missingFields = (preset?.requires ?? []).filter((field) => (changes[field] ?? '').length === 0);
  for (const field of missingFields) report(`${field} is missing: the preset ${preset?.name} requires it.`);
  for (const { message } of findClientFaults(changes)) report(message);
  return typeof id === 'string' && preset ? { id, preset: preset.name, changes } : null;
}

/** @returns the members whose values have the right type */
function readMembers(members: Members, report: (sentence: string) => void): ClientChanges {
  const validEntries = Object.entries(members).filter(([member, value]) => {
    const type = Object.hasOwn(TYPES, member) ? TYPES[member as keyof ClientChanges] : undefined;
    // `client_secret` is refused too: Foyer generates each secret and shows it once.
    if (type === undefined) report(`${JSON.stringify(member)} is unknown.`);
    else if (!RULES[type].isValid(value)) report(`${member} ${RULES[type].sentence}.`);
    return type !== undefined && RULES[type].isValid(value);
  });
  return Object.fromEntries(validEntries);
}

/**
 * @param clients the clients in the file
 * @param clientsAtHydra the clients that the file names; if clients are pruned, all clients
 * @param isPruning whether clients that the file does not name are deleted, except the client of Foyer's console
 */
export function planClients(
  clients: readonly DescribedClient[],
  clientsAtHydra: readonly ClientAnswer[],
  isPruning: boolean,
): PlannedStep[] {
  const steps = clients.map((client): PlannedStep => {
    const currentClient = clientsAtHydra.find(({ client_id: id }) => id === client.id);
    if (!currentClient) return { action: 'create', client };
    const changes = findChanges(client, currentClient);
    if (Object.keys(changes).length === 0) return { action: 'unchanged', id: client.id };
    return { action: 'change', id: client.id, version: currentClient.version, changes };
  });
  if (!isPruning) return steps;
  const otherClients = clientsAtHydra.filter(
    ({ client_id: id, is_own: isOwn }) => !isOwn && !clients.some((client) => client.id === id),
  );
  return [...steps, ...otherClients.map(({ client_id: id }): PlannedStep => ({ action: 'delete', id }))];
}

function findChanges({ changes }: DescribedClient, currentClient: ClientAnswer): ClientChanges {
  const differences = Object.entries(changes).filter(([member, value]) => {
    return toSortedJson(value) !== toSortedJson(currentClient[member as keyof ClientChanges]);
  });
  return Object.fromEntries(differences);
}

/** @returns whether the client at Hydra is a different kind of app than its preset in the file, which no change can correct */
export function hasOtherKind(
  { preset: name }: DescribedClient,
  { grant_types: grants, is_public: isPublic }: ClientAnswer,
): boolean {
  const members = findPreset(name)?.members;
  if (!members) return false;
  const hasOtherGrants = members.grant_types.toSorted().join(' ') !== grants.toSorted().join(' ');
  return hasOtherGrants || (members.token_endpoint_auth_method === 'none') !== isPublic;
}

/** Sorts the members of objects, because their order has no meaning. */
function toSortedJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    isMembers(part) ? Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1))) : part,
  );
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
