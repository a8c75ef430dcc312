/**
 * `foyer clients plan|apply`: clients as a file in YAML or JSON describes them. Secrets of new clients are printed once, and never written into
 * the file.
 */
import { readFileSync } from 'node:fs';
import { parseDocument } from 'yaml';
import { toCode } from '../../../config/system-error.js';
import type { ClientAnswer, NewClientAnswer } from '../../wire-clients.js';
import { CliFailure, EXIT, buildUsageFailure } from '../cli-failure.js';
import { hasOtherKind, planClients, readClientsFile, type DescribedClient, type PlannedStep } from '../clients-file.js';
import type { Call, Command } from '../command.js';
import type { OperatorClient } from '../operator-client.js';
import { REASON_OPTION } from '../reason-option.js';
import { sanitize } from '../shown-text.js';
import { formatSecret } from './clients.js';

const PRUNE = { prune: { about: 'also delete the clients that the file does not name, except the one of the console' } };

export const clientsPlan: Command = {
  name: 'clients plan',
  about: 'show what clients apply would change at Hydra, for a file in YAML or JSON',
  operands: ['file'],
  options: PRUNE,
  async run(call) {
    const steps = await plan(call);
    call.print({ steps: steps.map(toShownStep) }, () => steps.map(formatStep).join(''));
    if (steps.every(({ action }) => action === 'unchanged')) call.warn('Nothing to do.');
    return true;
  },
};

export const clientsApply: Command = {
  name: 'clients apply',
  about: 'make the clients at Hydra as a file says, and show secrets of new clients once',
  operands: ['file'],
  options: { ...PRUNE, ...REASON_OPTION },
  async run(call) {
    const steps = (await plan(call)).filter(({ action }) => action !== 'unchanged');
    const created: NewClientAnswer[] = [];
    const done: PlannedStep[] = [];
    try {
      for (const step of steps) {
        const answer = await apply(step, call.api);
        if (answer) created.push(answer);
        done.push(step);
      }
    } finally {
      // Also after a failure: the secrets of clients that were registered before it are shown now or never.
      const value = { steps: done.map(toShownStep), secrets: created.map(toShownSecret) };
      call.print(value, () => done.map(formatStep).join('') + created.map(formatCreated).join(''));
    }
    if (steps.length === 0) call.warn('Nothing to do.');
    return true;
  },
};

/** @throws CliFailure, with every fault of the file */
async function plan({ api, operands, options }: Call): Promise<PlannedStep[]> {
  const { clients, faults } = readClientsFile(parseFile(operands[0] ?? ''));
  if (faults.length > 0) throw new CliFailure(EXIT.usage, 'invalid_file', `Nothing was changed. ${faults.join('\n')}`);
  const current = options.has('prune') ? await readAll(api) : await readNamed(api, clients);
  for (const client of clients) {
    const known = current.find(({ client_id: id }) => id === client.id);
    if (!known || !hasOtherKind(client, known)) continue;
    const message = `Nothing was changed. The client ${client.id} exists and is not of the kind ${client.preset}: delete it first, or correct its preset.`;
    throw new CliFailure(EXIT.conflict, 'other_kind', message);
  }
  return planClients(clients, current, options.has('prune'));
}

function parseFile(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw buildUsageFailure(`The file ${path} cannot be read (${toCode(error) ?? 'unknown reason'}).`);
  }
  // JSON is YAML too. A name that stands twice in an object is an error, and no tag makes anything but data.
  const document = parseDocument(text, { schema: 'core' });
  const [fault] = [...document.errors, ...document.warnings];
  if (fault) throw buildUnreadable(path, fault);
  try {
    return document.toJS();
  } catch (error) {
    // More aliases than a file needs.
    throw buildUnreadable(path, error as Error);
  }
}

/** The message of the parser names line and column in its first line; below it stands a part of the file. */
function buildUnreadable(path: string, { message }: Error): CliFailure {
  const [sentence = ''] = message.split('\n');
  return new CliFailure(EXIT.usage, 'invalid_file', `${path} is not YAML: ${sentence.replace(/:$/, '')}`);
}

async function readNamed(api: OperatorClient, clients: readonly DescribedClient[]): Promise<ClientAnswer[]> {
  const found: ClientAnswer[] = [];
  for (const { id } of clients) {
    const client = await findClient(api, id);
    if (client) found.push(client);
  }
  return found;
}

async function readAll(api: OperatorClient): Promise<ClientAnswer[]> {
  const found: ClientAnswer[] = [];
  let cursor: string | undefined;
  do {
    const page = await api.listClients({ limit: '200', cursor });
    for (const { client_id: id } of page.clients) {
      const client = await findClient(api, id);
      if (client) found.push(client);
    }
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  return found;
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

function toShownStep(step: PlannedStep): object {
  const changes = step.action === 'create' ? step.client.changes : step.action === 'change' ? step.changes : undefined;
  return { action: step.action, client_id: toId(step), ...(changes === undefined ? {} : { changes }) };
}

const toShownSecret = ({ client, client_secret }: NewClientAnswer): object => ({ client_id: client.client_id, client_secret });

const WORDS = { create: 'register', change: 'change', unchanged: 'unchanged', delete: 'delete' } as const;

function formatStep(step: PlannedStep): string {
  const lines = step.action === 'change' ? Object.entries(step.changes) : [];
  const shown = lines.map(([member, value]) => `  ${member}: ${sanitize(JSON.stringify(value))}\n`);
  return `${WORDS[step.action].padEnd(10)}${sanitize(toId(step))}\n${shown.join('')}`;
}

function formatCreated({ client, client_secret: secret }: NewClientAnswer): string {
  return secret === null ? '' : `\n${sanitize(client.client_id)}${formatSecret(secret)}`;
}
