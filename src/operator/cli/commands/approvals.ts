/** Lists and decides the operations that wait for a second operator. */
import type { ApprovalAnswer } from '../../wire-approvals.js';
import { formatTime } from '../account-text.js';
import type { Call, Command } from '../command.js';
import { REASON_OPTION } from '../reason-option.js';
import { formatFacts, formatTable, type Column } from '../table.js';

const COLUMNS: readonly Column<ApprovalAnswer>[] = [
  { title: 'STATE', value: ({ state }) => state, whole: true },
  { title: 'OPERATION', value: ({ operation }) => operation, whole: true },
  { title: 'ACCOUNT', value: ({ username }) => username ?? '' },
  { title: 'BY', value: ({ asked_by: by }) => by },
  { title: 'ASKED', value: ({ asked_at: at }) => formatTime(at), whole: true },
  { title: 'REASON', value: ({ reason }) => reason },
  { title: 'ID', value: ({ id }) => id, whole: true },
];

export const approvalList: Command = {
  name: 'approval list',
  about: 'show what waits for a second operator, and what has waited within 30 days',
  operands: [],
  options: {
    limit: { value: '1-200', about: 'maximum number of approvals; default: 50' },
    cursor: { value: 'CURSOR', about: 'cursor of the next page, as shown after a page' },
  },
  async run({ api, options, terminal, print, warn }) {
    const page = await api.listApprovals({ limit: options.text('limit'), cursor: options.text('cursor') });
    const { approvals } = page;
    print(page, () => (approvals.length === 0 ? '' : formatTable(COLUMNS, approvals, terminal)));
    if (approvals.length === 0) warn('Nothing waits for a second operator.');
    if (page.next_cursor !== undefined) warn(`More approvals: --cursor ${page.next_cursor}`);
    return true;
  },
};

export const approvalShow: Command = {
  name: 'approval show',
  about: 'show what will be done, to whose account, and why',
  operands: ['approval'],
  options: {},
  async run({ api, operands, print }) {
    const approval = await api.getApproval(operands[0] ?? '');
    print(approval, () => formatApproval(approval));
    return true;
  },
};

export const approvalApprove: Command = {
  name: 'approval approve',
  about: 'approve what another operator or token asked for; it is done at once',
  operands: ['approval'],
  options: REASON_OPTION,
  async run({ api, operands, print }) {
    const answer = await api.approve(operands[0] ?? '');
    const { approval, result } = answer;
    const open = approval.missing > 0 ? 'Another operator has to approve it, too.\n\n' : '';
    print(answer, () => `${open}${formatApproval(approval)}${formatResult(result)}`);
    return true;
  },
};

export const approvalReject = decision('reject', 'reject what another operator or token asked for', (api, id) => api.reject(id));

export const approvalWithdraw = decision('withdraw', 'withdraw what was asked for with this token', (api, id) =>
  api.withdraw(id),
);

type Api = Call['api'];

function decision(word: string, about: string, send: (api: Api, id: string) => Promise<ApprovalAnswer>): Command {
  return {
    name: `approval ${word}`,
    about,
    operands: ['approval'],
    options: REASON_OPTION,
    async run({ api, operands, print }) {
      const approval = await send(api, operands[0] ?? '');
      print(approval, () => formatApproval(approval));
      return true;
    },
  };
}

const ANNOUNCED = {
  yes: 'was told by mail, and can stop it',
  no: 'was not told: the account has no address, or there is no mail server',
};

function formatApproval(approval: ApprovalAnswer): string {
  const { username, display_name: name, email, account_id: id, body, supported_by: supporter, decided_by: decider } = approval;
  return formatFacts([
    ['state', approval.state],
    ['operation', approval.operation],
    ...(id === null ? [] : ([['account', `${username ?? ''} (${name ?? ''}, ${email ?? 'no address'}), ${id}`]] as const)),
    ...Object.entries(body).map(([member, value]) => [member, JSON.stringify(value)] as const),
    ['reason', approval.reason],
    ...(approval.checked ? ([['who is calling', 'was checked by the one who asked']] as const) : []),
    ['asked by', `${approval.asked_by}, ${formatTime(approval.asked_at)}`],
    ...(supporter === null ? [] : ([['supported by', supporter]] as const)),
    ...(decider === null ? [] : ([['decided by', `${decider}, ${approval.decision_reason ?? 'without a reason'}`]] as const)),
    ...(approval.not_before === null ? [] : ([['not before', formatTime(approval.not_before)]] as const)),
    ...(approval.announced === null ? [] : ([['the person', ANNOUNCED[approval.announced ? 'yes' : 'no']]] as const)),
    ...(approval.stopped_before === null
      ? []
      : ([['the person', `stopped the same on ${formatTime(approval.stopped_before)}`]] as const)),
    ['expires', formatTime(approval.expires_at)],
    ['id', approval.id],
  ]);
}

/** A link is shown once, to the one who approves. */
function formatResult(result: Readonly<Record<string, unknown>> | null): string {
  const url = result?.['url'];
  return typeof url === 'string' ? `\nTo hand to the owner of the account, once:\n\n${url}\n` : '';
}
