/**
 * `foyer clients plan|apply`: changes the clients at Hydra to match a file in YAML or JSON. Secrets of new clients are printed once, and
 * never written to the file.
 */
import { readFileSync } from 'node:fs';
import { parseDocument } from 'yaml';
import { toCode } from '../../../config/system-error.js';
import type { ClientAnswer, NewClientAnswer } from '../../wire-clients.js';
import { CliFailure, EXIT, buildUsageFailure } from '../cli-failure.js';
import { hasOtherKind, planClients, readClientsFile, type DescribedClient, type PlannedStep } from '../clients-file.js';
import type { Call, Command } from '../command.js';
import { LARGEST_PAGE, readPages, type OperatorClient } from '../operator-client.js';
import { REASON_OPTION } from '../reason-option.js';
import { sanitize } from '../shown-text.js';
import { formatSecret } from './clients.js';

const PRUNE_OPTION = { prune: { about: "also delete the clients that the file does not name, except the console's own client" } };

export const clientsPlan: Command = {
  name: 'clients plan',
  about: "show what 'foyer clients apply' would change at Hydra, for a file in YAML or JSON",
  operands: ['file'],
  options: PRUNE_OPTION,
  async run(call) {
    const steps = await plan(call);
    call.print({ steps: steps.map(toStepJson) }, () => steps.map(formatStep).join(''));
    if (steps.every(({ action }) => action === 'unchanged')) call.warn('Nothing to do.');
    return true;
  },
};

export const clientsApply: Command = {
  name: 'clients apply',
  about: 'change the clients at Hydra to match a file, and show secrets of new clients once',
  operands: ['file'],
  options: { ...PRUNE_OPTION, ...REASON_OPTION },
  async run(call) {
    const steps = (await plan(call)).filter(({ action }) => action !== 'unchanged');
    const newClients: NewClientAnswer[] = [];
    const completedSteps: PlannedStep[] = [];
    try {
      for (const step of steps) {
        const answer = await apply(step, call.api);
        if (answer) newClients.push(answer);
        completedSteps.push(step);
      }
    } finally {
      // Printed after a failure too, because the secrets of the clients that were registered before the failure cannot be shown later.
      const value = { steps: completedSteps.map(toStepJson), secrets: newClients.map(toSecretJson) };
      call.print(value, () => completedSteps.map(formatStep).join('') + newClients.map(formatNewSecret).join(''));
    }
    if (steps.length === 0) call.warn('Nothing to do.');
    return true;
  },
};

/**
 * @throws CliFailure with all faults of the file, for a file that cannot be read or with which all clients would be deleted, or if a
 *   client at Hydra is of another kind
 */
async function plan({ api, operands, options }: Call): Promise<PlannedStep[]> {
  const { clients, faults } = readClientsFile(parseFile(operands[0] ?? ''));
  if (faults.length > 0) throw new CliFailure(EXIT.usage, 'invalid_file', `Nothing was changed. ${faults.join(' ')}`);
  if (clients.length === 0 && options.has('prune')) {
    const message = 'Nothing was changed. The file names no client, so --prune would delete all clients.';
    throw new CliFailure(EXIT.usage, 'invalid_file', message);
  }
  const clientsAtHydra = options.has('prune') ? await readAllClients(api) : await readDescribedClients(api, clients);
  for (const client of clients) {
    const currentClient = clientsAtHydra.find(({ client_id: id }) => id === client.id);
    if (!currentClient || !hasOtherKind(client, currentClient)) continue;
    const message = `Nothing was changed. The client ${client.id} exists, but is not of the kind ${client.preset}: delete it first, or correct its preset.`;
    throw new CliFailure(EXIT.conflict, 'other_kind', message);
  }
  return planClients(clients, clientsAtHydra, options.has('prune'));
}

function parseFile(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw buildUsageFailure(`The file ${path} cannot be read (${toCode(error) ?? 'unknown reason'}).`);
  }
  // JSON is also YAML. Duplicate names in an object are errors, and every tag of the core schema creates only data.
  const document = parseDocument(text, { schema: 'core' });
  const [fault] = [...document.errors, ...document.warnings];
  if (fault) throw buildUnreadableFailure(path, fault);
  try {
    return document.toJS();
  } catch (error) {
    // The parser limits the number of aliases.
    throw buildUnreadableFailure(path, error as Error);
  }
}

/** Uses only the first line of the parser's message, which states line and column of a syntax error; the other lines quote the file. */
function buildUnreadableFailure(path: string, { message }: Error): CliFailure {
  const [sentence = ''] = message.split('\n');
  return new CliFailure(EXIT.usage, 'invalid_file', `${path} is not YAML: ${sentence.replace(/:$/, '')}`);
}

async function readDescribedClients(api: OperatorClient, clients: readonly DescribedClient[]): Promise<ClientAnswer[]> {
  const clientsAtHydra: ClientAnswer[] = [];
  for (const { id } of clients) {
    const client = await findClient(api, id);
    if (client) clientsAtHydra.push(client);
  }
  return clientsAtHydra;
}

async function readAllClients(api: OperatorClient): Promise<ClientAnswer[]> {
  const clientsAtHydra: ClientAnswer[] = [];
  for await (const page of readPages((cursor) => api.listClients({ limit: LARGEST_PAGE, cursor }))) {
    for (const { client_id: id } of page.clients) {
      const client = await findClient(api, id);
      if (client) clientsAtHydra.push(client);
    }
  }
  return clientsAtHydra;
}

async function findClient(api: OperatorClient, id: string): Promise<ClientAnswer | null> {
  try {
    return await api.getClient(id);
  } catch (error) {
    if (error instanceof CliFailure && error.exitCode === EXIT.notFound) return null;
    throw error;
  }
}

async function apply(step: PlannedStep, api: OperatorClient): Promise<NewClientAnswer | null> {
  switch (step.action) {
    case 'create': {
      const { id, preset, changes } = step.client;
      return api.createClient({ client_id: id, preset, ...changes });
    }
    case 'change':
      await api.changeClient(step.id, { version: step.version, ...step.changes });
      return null;
    case 'delete':
      await api.deleteClient(step.id);
      return null;
    case 'unchanged':
      return null;
  }
}

const toId = (step: PlannedStep): string => (step.action === 'create' ? step.client.id : step.id);

function toStepJson(step: PlannedStep): object {
  const changes = step.action === 'create' ? step.client.changes : step.action === 'change' ? step.changes : undefined;
  return { action: step.action, client_id: toId(step), ...(changes === undefined ? {} : { changes }) };
}

const toSecretJson = ({ client, client_secret }: NewClientAnswer): object => ({ client_id: client.client_id, client_secret });

const WORDS = { create: 'register', change: 'change', unchanged: 'unchanged', delete: 'delete' } as const;

function formatStep(step: PlannedStep): string {
  const lines = step.action === 'change' ? Object.entries(step.changes) : [];
  const details = lines.map(([member, value]) => `  ${member}: ${sanitize(JSON.stringify(value))}\n`);
  return `${WORDS[step.action].padEnd(10)}${sanitize(toId(step))}\n${details.join('')}`;
}

function formatNewSecret({ client, client_secret: secret }: NewClientAnswer): string {
  return secret === null ? '' : `\n${sanitize(client.client_id)}${formatSecret(secret)}`;
}
