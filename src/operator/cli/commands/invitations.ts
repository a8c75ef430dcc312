/** Invites people who have no account yet, and lists, resends and withdraws invitations. */
import type { InvitationAnswer, InvitationRowAnswer } from '../../wire-invitations.js';
import { formatTime } from '../account-text.js';
import { ATTRIBUTE_OPTIONS, readAttributes } from '../attribute-options.js';
import { buildUsageFailure, CliFailure } from '../cli-failure.js';
import type { Call, Command } from '../command.js';
import { splitLines } from '../file-lines.js';
import { openInput, toReadFailure } from './account-import.js';
import { REASON_OPTION } from '../reason-option.js';
import { sanitize, sanitizeJsonLine } from '../shown-text.js';
import { formatTable, type Column } from '../table.js';

/** Maximum number of rows in one call, and of bytes in them. The operator API accepts a body of at most 64 kB. */
const MAX_ROWS = 100;
const MAX_BYTES = 63 * 1024;

const COLUMNS: readonly Column<InvitationAnswer>[] = [
  { title: 'INVITATION', value: ({ id }) => id, whole: true },
  { title: 'ADDRESS', value: ({ email }) => email },
  {
    title: 'STATE',
    value: ({ state, has_account: hasAccount }) => (hasAccount ? `${state}, has account` : state),
    whole: true,
    mark: ({ has_account: hasAccount }) => (hasAccount ? 'bad' : undefined),
  },
  { title: 'APP', value: ({ client_id: client }) => client ?? '' },
  { title: 'SENT', value: ({ sent_at: time }) => formatTime(time), whole: true },
  { title: 'UNTIL', value: ({ expires_at: time }) => formatTime(time), whole: true },
  { title: 'INVITED BY', value: ({ invited_by }) => invited_by },
  { title: 'ACCOUNT', value: ({ username }) => username ?? '' },
];

export const invitationCreate: Command = {
  name: 'invitation create',
  about: 'invite a person who has no account yet, by a mail with a link to create one',
  operands: ['address'],
  options: {
    name: { value: 'NAME', about: 'display name that is filled in' },
    client: { value: 'ID', about: 'app to which the person is invited' },
    language: { value: 'CODE', about: 'language of the mail and of the account, such as de or en' },
    group: { value: 'NAME', about: 'group of the account' },
    ...ATTRIBUTE_OPTIONS,
    inviter: { value: 'TEXT', about: 'name of the inviter that the mail and the page show' },
    days: { value: '1-30', about: 'number of days for which the link works; default: 7' },
    ...REASON_OPTION,
  },
  async run({ api, operands, options, print }) {
    const days = options.text('days');
    if (days !== undefined && !/^\d{1,2}$/.test(days)) throw buildUsageFailure('--days requires a whole number from 1 to 30.');
    const invitation = await api.invitePerson({
      email: operands[0] ?? '',
      display_name: options.text('name'),
      client: options.text('client'),
      language: options.text('language'),
      group_name: options.text('group'),
      ...readAttributes(options),
      inviter: options.text('inviter'),
      days: days === undefined ? undefined : Number(days),
    });
    print(invitation, () => formatMailedInvitation(invitation));
    return true;
  },
};

export const invitationList: Command = {
  name: 'invitation list',
  about: 'show invitations, newest first',
  operands: [],
  options: {
    state: { value: 'WORD', about: 'only invitations in this state: open, used, withdrawn or expired' },
    email: { value: 'ADDRESS', about: 'only invitations to this address' },
    limit: { value: '1-200', about: 'maximum number of invitations; default: 50' },
    cursor: { value: 'CURSOR', about: 'continue after the page that showed this cursor' },
  },
  async run({ api, options, terminal, print, warn }) {
    const [state, email, limit, cursor] = ['state', 'email', 'limit', 'cursor'].map((name) => options.text(name));
    const page = await api.listInvitations({ state, email, limit, cursor });
    print(page, () => (page.invitations.length === 0 ? '' : formatTable(COLUMNS, page.invitations, terminal)));
    if (page.invitations.length === 0) warn('No invitation was found.');
    if (page.next_cursor !== undefined) warn(`More invitations: --cursor ${page.next_cursor}`);
    return true;
  },
};

export const invitationResend: Command = {
  name: 'invitation resend',
  about: 'mail a new link; earlier links of the invitation no longer work',
  operands: ['invitation'],
  options: REASON_OPTION,
  async run({ api, operands, print }) {
    const invitation = await api.resendInvitation(operands[0] ?? '');
    print(invitation, () => formatMailedInvitation(invitation));
    return true;
  },
};

export const invitationWithdraw: Command = {
  name: 'invitation withdraw',
  about: 'withdraw an invitation: its link no longer works',
  operands: ['invitation'],
  options: REASON_OPTION,
  async run({ api, operands, print }) {
    const invitation = await api.withdrawInvitation(operands[0] ?? '');
    const sentence = invitation.withdrawn ? 'was withdrawn' : `had ended already (${invitation.state})`;
    print(invitation, () => `The invitation for ${sanitize(invitation.email)} ${sentence}.\n`);
    return true;
  },
};

export const invitationImport: Command = {
  name: 'invitation import',
  about: 'invite the people of a file, one JSON object per line; "-" is standard input',
  operands: ['file'],
  options: REASON_OPTION,
  async run(call) {
    const { name, chunks } = await openInput(call);
    const report = new Report(call, name);
    try {
      await inviteAll(chunks, report);
    } catch (error) {
      throw report.toFailure(error);
    }
    return report.end();
  },
};

async function inviteAll(chunks: AsyncIterable<Uint8Array>, report: Report): Promise<void> {
  let rows = new Rows();
  for await (const { number, text, fault } of splitLines(chunks)) {
    if (text?.trim() === '') continue;
    const members = text === null ? null : parseObject(text);
    // The row may be longer than its line, because numbers are written out.
    const bytes = members === null ? 0 : Buffer.byteLength(JSON.stringify(members)) + 1;
    const isTooLarge = fault === 'too_long' || bytes > MAX_BYTES;
    if (members === null || isTooLarge) {
      await report.add({ row: number, result: 'invalid', ...(isTooLarge ? FAULTS.tooLarge : FAULTS.notAnObject) });
      continue;
    }
    if (!rows.hasRoomFor(bytes)) {
      await report.send(rows);
      rows = new Rows();
    }
    rows.add(number, members, bytes);
  }
  await report.send(rows);
}

const FAULTS = {
  notAnObject: { error: 'bad_json', message: 'The line must be a JSON object in UTF-8.' },
  tooLarge: { error: 'too_large', message: `The line is longer than ${MAX_BYTES / 1024} kB, with its numbers written out.` },
} as const;

/** The rows of one call. */
class Rows {
  readonly numbers: number[] = [];
  readonly members: Record<string, unknown>[] = [];
  #bytes = 0;

  hasRoomFor(bytes: number): boolean {
    return this.members.length < MAX_ROWS && this.#bytes + bytes <= MAX_BYTES;
  }

  add(number: number, members: Record<string, unknown>, bytes: number): void {
    this.numbers.push(number);
    this.members.push(members);
    this.#bytes += bytes;
  }
}

class Report {
  #invitedCount = 0;
  #invalidCount = 0;
  /** The last line of the calls that succeeded. A line that cannot be read does not count: it is reported before the lines above it are sent. */
  #lastDoneLine = 0;

  constructor(
    private readonly call: Call,
    private readonly file: string,
  ) {}

  async send({ members, numbers }: Rows): Promise<void> {
    if (members.length === 0) return;
    const { results } = await this.call.api.inviteMany(members);
    for (const result of results) await this.add({ ...result, row: numbers[result.row - 1] ?? 0 });
    this.#lastDoneLine = numbers.at(-1) ?? 0;
  }

  /** @param answer `row`: number of the line in the file */
  async add({ row, ...answer }: InvitationRowAnswer): Promise<void> {
    if (answer.result === 'invited') this.#invitedCount += 1;
    else this.#invalidCount += 1;
    const { options, terminal } = this.call;
    if (options.has('json')) await terminal.write(sanitizeJsonLine({ line: row, ...answer }));
    else if (answer.result === 'invalid') {
      await terminal.write(`${sanitize(this.file)}:${row}: ${sanitize(answer.message ?? '')}\n`);
    }
  }

  async end(): Promise<boolean> {
    const counts = { invited: this.#invitedCount, invalid: this.#invalidCount };
    const { options, terminal } = this.call;
    if (options.has('json')) await terminal.write(sanitizeJsonLine({ summary: counts }));
    else terminal.out(`Invited: ${counts.invited}. Not invited: ${counts.invalid}.\n`);
    return counts.invalid === 0;
  }

  /** The command can be repeated, because the API refuses to invite a person again while an invitation is open. */
  toFailure(error: unknown): unknown {
    const failure = toReadFailure(this.file, error);
    if (!(failure instanceof CliFailure) || this.#lastDoneLine === 0) return failure;
    const advice = `Lines 1 to ${this.#lastDoneLine} are done; run the command again to continue.`;
    return new CliFailure(failure.exitCode, failure.code, `${failure.message} ${advice}`);
  }
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function formatMailedInvitation({ id, email, expires_at: expiresAt }: InvitationAnswer): string {
  return `An invitation will be sent to ${sanitize(email)}; its link works until ${formatTime(expiresAt)}.\nInvitation: ${sanitize(id)}\n`;
}
