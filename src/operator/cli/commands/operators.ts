/** Lists operators, and grants and revokes their rights. */
import type { OperatorAnswer, OperatorRightAnswer } from '../../wire-operators.js';
import { buildAccountCommand } from '../account-command.js';
import { formatTime } from '../account-text.js';
import type { Command } from '../command.js';
import { REASON_OPTION } from '../reason-option.js';
import { sanitize } from '../shown-text.js';
import { formatTable, type Column } from '../table.js';

type Row = OperatorRightAnswer & { operator: OperatorAnswer };

const COLUMNS: readonly Column<Row>[] = [
  { title: 'USERNAME', value: ({ operator }) => operator.username },
  { title: 'RIGHT', value: ({ right }) => right, whole: true },
  { title: 'ENDS', value: ({ ends_at: time }) => (time === null ? '' : formatTime(time)), whole: true },
  { title: 'GRANTED', value: ({ granted_at: time }) => (time === null ? '' : formatTime(time)), whole: true },
  { title: 'BY', value: ({ by, granted_by }) => granted_by ?? by },
  { title: 'REASON', value: ({ reason }) => reason ?? '' },
  {
    title: 'STATUS',
    value: ({ operator }) => operator.status,
    whole: true,
    mark: ({ operator }) => (operator.status === 'disabled' ? 'bad' : undefined),
  },
  { title: 'ID', value: ({ operator }) => operator.account_id, whole: true },
];

export const operatorList: Command = {
  name: 'operator list',
  about: 'list the operators, except those who have rights only through an attribute',
  operands: [],
  options: {
    limit: { value: '1-200', about: 'maximum number of operators; default: 50' },
    cursor: { value: 'CURSOR', about: 'continue after the page that showed this cursor' },
  },
  async run({ api, options, terminal, print, warn }) {
    const page = await api.listOperators({ limit: options.text('limit'), cursor: options.text('cursor') });
    const rows = page.operators.flatMap((operator) => operator.rights.map((right): Row => ({ ...right, operator })));
    print(page, () => (rows.length === 0 ? '' : formatTable(COLUMNS, rows, terminal)));
    if (rows.length === 0) warn('No operator was found.');
    if (page.next_cursor !== undefined) warn(`More operators: --cursor ${page.next_cursor}`);
    return true;
  },
};

export const operatorShow = buildAccountCommand({
  name: 'operator show',
  about: 'show the operator rights of an account',
  async run({ id, username }, { api, terminal, print, warn }) {
    const operator = await api.getOperator(id);
    const rows = operator.rights.map((right): Row => ({ ...right, operator }));
    print(operator, () => (rows.length === 0 ? '' : formatTable(COLUMNS, rows, terminal)));
    if (rows.length === 0) warn(`${username} has no operator rights.`);
  },
});

export const operatorGrant = buildAccountCommand({
  name: 'operator grant',
  about: 'grant an operator right to an account: read, auditor, support or admin',
  operands: ['right'],
  options: {
    until: {
      value: 'DATE',
      about: 'end of the right, such as 2026-12-31 (the start of that day, UTC) or 2026-12-31T18:00Z; default: none',
    },
    ...REASON_OPTION,
  },
  async run({ id, username }, { api, operands, options, print }) {
    const right = operands[1] ?? '';
    const operator = await api.grantRight(id, { right, ends_at: options.text('until') });
    const end = operator.rights.find((entry) => entry.by === 'grant' && entry.right === right)?.ends_at ?? null;
    print(
      operator,
      () => `${username} now has the right ${sanitize(right)}${end === null ? '' : ` until ${formatTime(end)}`}.\n`,
    );
  },
});

export const operatorRevoke = buildAccountCommand({
  name: 'operator revoke',
  about: 'revoke a right that was granted to an account',
  operands: ['right'],
  options: REASON_OPTION,
  async run({ id, username }, { api, operands, print, warn }) {
    const right = operands[1] ?? '';
    const operator = await api.revokeRight(id, right);
    print(operator, () => `The right ${sanitize(right)} of ${username} is revoked.\n`);
    if (operator.rights.some((entry) => entry.right === right)) {
      warn(`${username} still has the right ${sanitize(right)} through a group or an attribute (OPERATORS).`);
    }
  },
});
