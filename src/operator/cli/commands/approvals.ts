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
  { title: 'BY', value: ({ asked_by }) => asked_by },
  { title: 'ASKED', value: ({ asked_at: time }) => formatTime(time), whole: true },
  { title: 'REASON', value: ({ reason }) => reason },
  { title: 'ID', value: ({ id }) => id, whole: true },
];

export const approvalList: Command = {
  name: 'approval list',
  about: 'list operations waiting for a second operator, and approvals of the last 30 days',
  operands: [],
  options: {
    limit: { value: '1-200', about: 'maximum number of approvals; default: 50' },
    cursor: { value: 'CURSOR', about: 'continue after the page that showed this cursor' },
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
  about: 'show the operation, account and reason of one approval',
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
  about: 'approve an operation that another operator or token requested',
  operands: ['approval'],
  options: REASON_OPTION,
  async run({ api, operands, print }) {
    const answer = await api.approve(operands[0] ?? '');
    const { approval, result } = answer;
    const note = approval.missing > 0 ? 'Another operator must approve the operation too.\n\n' : '';
    print(answer, () => `${note}${formatApproval(approval)}${formatResult(result)}`);
    return true;
  },
};

export const approvalReject = buildDecision('reject', 'reject an operation that another operator or token requested', (api, id) =>
  api.reject(id),
);

export const approvalWithdraw = buildDecision('withdraw', 'withdraw an operation that this token requested', (api, id) =>
  api.withdraw(id),
);

type Api = Call['api'];

function buildDecision(word: string, about: string, send: (api: Api, id: string) => Promise<ApprovalAnswer>): Command {
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

const ANNOUNCEMENTS = {
  yes: 'was told by mail and can stop the operation',
  no: 'was not told: the account has no address, or no mail server is configured',
};

function formatApproval(approval: ApprovalAnswer): string {
  const { username, display_name: name, email, account_id: id, body, supported_by: supporter, decided_by: decider } = approval;
  return formatFacts([
    ['state', approval.state],
    ['operation', approval.operation],
    ...(id === null ? [] : ([['account', `${username ?? ''} (${name ?? ''}, ${email ?? 'no address'}), ${id}`]] as const)),
    ...Object.entries(body).map(([member, value]) => [member, JSON.stringify(value)] as const),
    ['reason', approval.reason],
    ...(approval.checked ? ([['who is calling', 'was checked by the requester']] as const) : []),
    ['asked by', `${approval.asked_by}, ${formatTime(approval.asked_at)}`],
    ...(supporter === null ? [] : ([['supported by', supporter]] as const)),
    ...(decider === null ? [] : ([['decided by', `${decider}, ${approval.decision_reason ?? 'without a reason'}`]] as const)),
    ...(approval.not_before === null ? [] : ([['not before', formatTime(approval.not_before)]] as const)),
    ...(approval.announced === null ? [] : ([['the person', ANNOUNCEMENTS[approval.announced ? 'yes' : 'no']]] as const)),
    ...(approval.stopped_before === null
      ? []
      : ([['the person', `stopped the same request on ${formatTime(approval.stopped_before)}`]] as const)),
    ['expires', formatTime(approval.expires_at)],
    ['id', approval.id],
  ]);
}

/** A link is shown once, to the operator who approves. */
function formatResult(result: Readonly<Record<string, unknown>> | null): string {
  const url = result?.['url'];
  return typeof url === 'string' ? `\nLink for the owner of the account, shown only now:\n\n${url}\n` : '';
}
