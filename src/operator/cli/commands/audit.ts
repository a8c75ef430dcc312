/**
 * Shows the audit log of an account or of the installation, and the events of a request. The events of a deleted account can be found
 * by its id.
 */
import type { AuditAnswer, AuditEntryAnswer } from '../../wire.js';
import { buildAccountCommand, findAccount, isAccountId } from '../account-command.js';
import { formatTime } from '../account-text.js';
import type { Call, Command, GivenOptions, Option } from '../command.js';
import { CliFailure, EXIT } from '../cli-failure.js';
import { LARGEST_PAGE, readPages } from '../operator-client.js';
import { formatTable, type Column } from '../table.js';

const OPTIONS: Readonly<Record<string, Option>> = {
  kind: { value: 'KIND', about: 'only events of this kind, such as sign-in.ok, or of a group of kinds, such as factor' },
  actor: { value: 'ACTOR', about: 'only events caused by person, operator, operator:NAME (a token or an operator) or system' },
  client: { value: 'CLIENT', about: 'only events that name the client with this id, such as sign-ins to it' },
  since: { value: 'TIME', about: 'only events from this date or time on, such as 2026-01-31 or 2026-01-31T12:00Z' },
  until: { value: 'TIME', about: 'only events before this date or time' },
  limit: { value: 'NUMBER', about: 'maximum number of events, up to 200; default: 50' },
  cursor: { value: 'CURSOR', about: 'continue after the page that showed this cursor' },
};

type Columns = readonly Column<AuditEntryAnswer>[];

const TIME_AND_EVENT: Columns = [
  { title: 'TIME', value: ({ at }) => formatTime(at), whole: true },
  { title: 'EVENT', value: ({ kind }) => kind, whole: true },
];
const ACCOUNT_COLUMN: Columns = [{ title: 'ACCOUNT', value: ({ account_id, username }) => username ?? account_id ?? '' }];
const OTHER_COLUMNS: Columns = [
  { title: 'BY', value: formatActor, whole: true },
  { title: 'ADDRESS', value: ({ address }) => address ?? '' },
  { title: 'DETAIL', value: ({ detail }) => formatDetail(detail) },
];

export const accountAudit = buildAccountCommand({
  name: 'account audit',
  about: 'show the events of an account, newest first',
  options: OPTIONS,
  async run({ id }, call) {
    printLog(await call.api.listAccountEvents(id, toQuery(call.options)), [...TIME_AND_EVENT, ...OTHER_COLUMNS], call);
  },
});

export const audit: Command = {
  name: 'audit',
  about: 'show the events of all accounts and of Foyer itself, newest first',
  operands: [],
  options: { account: { value: 'ID|USERNAME', about: 'only events of this account' }, ...OPTIONS },
  async run(call) {
    const reference = call.options.text('account');
    const account = reference === undefined || isAccountId(reference) ? reference : (await findAccount(call.api, reference)).id;
    const page = await call.api.listEvents({ account, ...toQuery(call.options) });
    printLog(page, [...TIME_AND_EVENT, ...ACCOUNT_COLUMN, ...OTHER_COLUMNS], call);
    return true;
  },
};

export const explain: Command = {
  name: 'explain',
  about: 'show the events of a request, oldest first; error pages show the request id',
  operands: ['request'],
  options: {},
  async run(call) {
    const [request = ''] = call.operands;
    const entries = await listAllEvents(call.api, request);
    if (entries.length === 0) {
      const message =
        'No event of this request was found. Search the log of the gateways for the id; ids from gateways of version 0.2 can be found only there.';
      throw new CliFailure(EXIT.notFound, 'request_not_found', message);
    }
    const oldestFirst = entries.toReversed();
    call.print({ entries: oldestFirst }, () =>
      formatTable([...TIME_AND_EVENT, ...ACCOUNT_COLUMN, ...OTHER_COLUMNS], oldestFirst, call.terminal),
    );
    return true;
  },
};

/** @returns the events of all pages, newest first */
async function listAllEvents(api: Call['api'], request: string): Promise<AuditEntryAnswer[]> {
  const entries: AuditEntryAnswer[] = [];
  const pages = readPages((cursor) => api.listEvents({ request, limit: LARGEST_PAGE, cursor }));
  for await (const page of pages) entries.push(...page.entries);
  return entries;
}

function toQuery(options: GivenOptions): Record<string, string | undefined> {
  return Object.fromEntries(Object.keys(OPTIONS).map((name) => [name, options.text(name)]));
}

function printLog(page: AuditAnswer, columns: Columns, { terminal, print, warn }: Call): void {
  print(page, () => (page.entries.length === 0 ? '' : formatTable(columns, page.entries, terminal)));
  if (page.entries.length === 0) warn('No event was found.');
  if (page.next_cursor !== undefined) warn(`More events: --cursor ${page.next_cursor}`);
}

/** A token may have the same name as an operator. Only the events of operators contain `operatorAccount`. */
function formatActor({ actor, detail }: AuditEntryAnswer): string {
  const isToken = actor.startsWith('operator:') && detail?.['operatorAccount'] === undefined;
  return isToken ? `${actor} (token)` : actor;
}

function formatDetail(detail: AuditEntryAnswer['detail']): string {
  return Object.entries(detail ?? {})
    .map(([name, value]) => `${name}=${Array.isArray(value) ? value.join(',') : String(value)}`)
    .join(' ');
}
