/** Offers accounts to SCIM sources, and lists the calls that were refused. */
import { findAccount } from '../account-command.js';
import { formatTime } from '../account-text.js';
import { buildUsageFailure } from '../cli-failure.js';
import type { Call, Command } from '../command.js';
import { readPages } from '../operator-client.js';
import { REASON_OPTION } from '../reason-option.js';
import { sanitize } from '../shown-text.js';
import { formatFacts, formatTable, type Column } from '../table.js';
import type { ScimFaultAnswer, ScimOfferAnswer } from '../../wire-scim.js';
import { readParameters } from './filters.js';

const SOURCE_OPTION = { source: { value: 'SOURCE', about: 'id of the SCIM source in USER_SOURCES; required' } };
const PAGE_OPTIONS = {
  limit: { value: 'NUMBER', about: 'maximum number of entries, up to 200; default: 50' },
  cursor: { value: 'CURSOR', about: 'continue after the page that showed this cursor' },
};

const OFFER_COLUMNS: readonly Column<ScimOfferAnswer>[] = [
  { title: 'USERNAME', value: ({ username }) => username },
  { title: 'NAME', value: ({ display_name: name }) => name },
  { title: 'EXTERNAL ID', value: ({ external_id: id }) => id ?? '(by address)' },
  { title: 'UNTIL', value: ({ expires_at: time }) => formatTime(time), whole: true },
  { title: 'BY', value: ({ offered_by }) => offered_by },
  { title: 'ID', value: ({ account_id: id }) => id, whole: true },
];

const FAULT_COLUMNS: readonly Column<ScimFaultAnswer>[] = [
  { title: 'LAST', value: ({ last_at: time }) => formatTime(time), whole: true },
  { title: 'TIMES', value: ({ times }) => String(times), whole: true },
  { title: 'CALL', value: ({ method, resource }) => `${method} ${resource}`, whole: true },
  { title: 'ABOUT', value: ({ subject }) => subject },
  { title: 'CODE', value: ({ code }) => code, whole: true },
  { title: 'FIELD', value: ({ field }) => field ?? '' },
  { title: 'CAUSE', value: ({ detail }) => detail },
  { title: 'ACCOUNT', value: ({ account }) => account?.username ?? '' },
  { title: 'ID', value: ({ id }) => id, whole: true },
];

export const scimOffer: Command = {
  name: 'scim offer',
  about: 'allow a SCIM source to take over an account, or all that match, within 30 days',
  operands: ['id|username'],
  mayOmitOperands: true,
  options: {
    ...SOURCE_OPTION,
    'external-id': {
      value: 'ID',
      about: 'externalId of the person at the source; without this option, the verified address is compared',
    },
    all: { about: 'offer all accounts with a verified address instead of one account, except those of operators and sources' },
    filter: {
      value: 'NAME=VALUE',
      multiple: true,
      about:
        'like --all, but only accounts that match this parameter of the account list, such as group=Einkauf; may be repeated',
    },
    ...REASON_OPTION,
  },
  async run(call) {
    const { api, operands, options, print } = call;
    const source = options.requireText('source');
    const [reference] = operands;
    const filter = readParameters(options.texts('filter'));
    const isMany = options.has('all') || Object.keys(filter).length > 0;
    const externalId = options.text('external-id');
    if (isMany === (reference !== undefined)) throw buildUsageFailure('Pass either an account, or --all or --filter.');
    if (isMany && externalId !== undefined) throw buildUsageFailure('--external-id must not be given with --all or --filter.');
    if (isMany) return offerMany({ source, filter }, call);
    const { id } = await findAccount(api, reference);
    const answer = await api.offerToScim({
      account: id,
      source,
      ...(externalId === undefined ? {} : { external_id: externalId }),
    });
    print(answer, () => `${sanitize(answer.source)} may take over ${sanitize(answer.username)} within 30 days.\n`);
    return true;
  },
};

async function offerMany(selection: { source: string; filter: Record<string, string> }, { api, print }: Call): Promise<boolean> {
  const counts = { offered: 0, operator_account: 0, has_source: 0, no_verified_address: 0 };
  const answers = readPages((cursor) => api.offerManyToScim({ ...selection, ...(cursor === undefined ? {} : { cursor }) }));
  for await (const answer of answers) {
    const { operator_account, has_source, no_verified_address } = answer.left_out;
    for (const [name, count] of Object.entries({ offered: answer.offered, operator_account, has_source, no_verified_address }))
      counts[name as keyof typeof counts] += count;
  }
  print(counts, () =>
    formatFacts([
      ['Offered', String(counts.offered)],
      ['Not offered: operator accounts', String(counts.operator_account)],
      ['Not offered: belong to a source', String(counts.has_source)],
      ['Not offered: no verified address', String(counts.no_verified_address)],
    ]),
  );
  return true;
}

export const scimOffers: Command = {
  name: 'scim offers',
  about: 'show the accounts that a SCIM source may take over',
  operands: [],
  options: { ...SOURCE_OPTION, ...PAGE_OPTIONS },
  async run({ api, options, terminal, print, warn }) {
    const query = { limit: options.text('limit'), cursor: options.text('cursor') };
    const page = await api.listScimOffers({ source: options.requireText('source'), ...query });
    print(page, () => (page.offers.length === 0 ? '' : formatTable(OFFER_COLUMNS, page.offers, terminal)));
    if (page.offers.length === 0) warn('No account is offered.');
    if (page.next_cursor !== undefined) warn(`More: --cursor ${page.next_cursor}`);
    return true;
  },
};

export const scimWithdraw: Command = {
  name: 'scim withdraw',
  about: 'withdraw the offer of an account to a SCIM source',
  operands: ['id|username'],
  options: REASON_OPTION,
  async run({ api, operands, print }) {
    const { id, username } = await findAccount(api, operands[0]);
    const answer = await api.withdrawFromScim(id);
    print(answer, () => `${sanitize(username)} ${answer.withdrawn ? 'is no longer' : 'was not'} offered.\n`);
    return true;
  },
};

export const scimFaults: Command = {
  name: 'scim faults',
  about: 'show the calls of a SCIM source that were refused, latest first',
  operands: [],
  options: { ...SOURCE_OPTION, ...PAGE_OPTIONS },
  async run({ api, options, terminal, print, warn }) {
    const query = { limit: options.text('limit'), cursor: options.text('cursor') };
    const page = await api.listScimFaults({ source: options.requireText('source'), ...query });
    print(page, () => (page.faults.length === 0 ? '' : formatTable(FAULT_COLUMNS, page.faults, terminal)));
    if (page.faults.length === 0) warn('No call was refused.');
    if (page.next_cursor !== undefined) warn(`More: --cursor ${page.next_cursor}`);
    return true;
  },
};

export const scimDismiss: Command = {
  name: 'scim dismiss',
  about: 'remove a refused call from the list, until it is refused again',
  operands: ['id'],
  options: REASON_OPTION,
  async run({ api, operands, print }) {
    const answer = await api.dismissScimFault(operands[0] ?? '');
    print(answer, () => `The refused call ${sanitize(answer.id)} is no longer listed.\n`);
    return true;
  },
};
