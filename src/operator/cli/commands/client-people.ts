/** Lists the people who have granted access to a client, previews what a person would see of a client, and revokes a client's access. */
import type { ClientPersonAnswer, ClientPreviewAnswer } from '../../wire-clients.js';
import { buildAccountCommand, findAccount } from '../account-command.js';
import { formatTime } from '../account-text.js';
import type { Command } from '../command.js';
import { REASON_OPTION } from '../reason-option.js';
import { sanitize } from '../shown-text.js';
import { formatFacts, formatTable, type Column } from '../table.js';

const COLUMNS: readonly Column<ClientPersonAnswer>[] = [
  { title: 'USERNAME', value: ({ username }) => username },
  { title: 'NAME', value: ({ display_name }) => display_name },
  { title: 'SCOPES', value: ({ scopes }) => scopes.join(' ') },
  { title: 'GRANTED', value: ({ granted_at: time }) => formatTime(time), whole: true },
  { title: 'ID', value: ({ account_id }) => account_id, whole: true },
];

export const clientPeople: Command = {
  name: 'client people',
  about: 'list the people who have granted access to a client',
  operands: ['client'],
  options: {
    limit: { value: '1-200', about: 'maximum number of people; default: 50' },
    cursor: { value: 'CURSOR', about: 'continue after the page that showed this cursor' },
  },
  async run({ api, operands, options, terminal, print, warn }) {
    const query = { limit: options.text('limit'), cursor: options.text('cursor') };
    const page = await api.listClientPeople(operands[0] ?? '', query);
    print(page, () => (page.people.length === 0 ? '' : formatTable(COLUMNS, page.people, terminal)));
    if (page.is_trusted) warn('Nobody is asked for consent; only people who were asked earlier are listed.');
    else if (page.people.length === 0) warn('Nobody was found.');
    if (page.next_cursor !== undefined) warn(`More people: --cursor ${page.next_cursor}`);
    return true;
  },
};

export const clientPreview: Command = {
  name: 'client preview',
  about: 'show what a person would see of a client, and which claims the client would get',
  operands: ['client'],
  options: { account: { value: 'ID|USERNAME', about: 'account of the person; required' } },
  async run({ api, operands, options, print }) {
    const { id } = await findAccount(api, options.requireText('account'));
    const preview = await api.previewClient(operands[0] ?? '', id);
    print(preview, () => formatPreview(preview));
    return true;
  },
};

export const accountAppRemove = buildAccountCommand({
  name: 'account app-remove',
  about: "revoke an app's access to an account; the app's tokens stop working",
  operands: ['client'],
  options: REASON_OPTION,
  async run({ id, username }, { api, operands, print }) {
    const client = operands[1] ?? '';
    print(await api.removeApp(id, client), () => `${sanitize(client)} no longer has access to ${username}.\n`);
  },
});

function formatPreview(preview: ClientPreviewAnswer): string {
  const { scopes, id_token, access_token } = preview;
  const facts: [string, string][] = [
    ['Name', preview.shown_name],
    ['Consent', preview.asks_consent ? 'the person is asked' : 'nobody is asked'],
    ['Logo', preview.logo_address ?? '–'],
    ['Colour', preview.brand_colour ?? 'default of the installation'],
    ...scopes.map(({ scope, title, is_known: isKnown, claims }): [string, string] => [
      scope,
      [title ?? (isKnown ? '' : 'no description'), claims.map(({ claim }) => claim).join(', ')].filter(Boolean).join(': '),
    ]),
  ];
  const format = (claims: object): string => sanitize(JSON.stringify(claims));
  return `${formatFacts(facts)}\nID token and userinfo\n${format(id_token)}\n\nAccess token (ext)\n${format(access_token)}\n`;
}
