/** Reads a file of people to invite, and splits it into calls that the operator API accepts. */
import type { InvitationRow, NewInvitation } from '../api/calls.js';

/** Files with more people are a task for the command line. */
const MAX_PEOPLE = 1000;
const MAX_ROWS = 100;
/** The server accepts a body of at most 64 kB, and a character needs up to 3 bytes. */
const MAX_CHARACTERS = 16_000;

export interface InvitedRow {
  /** The number of the line, from 1. */
  line: number;
  members: NewInvitation;
}

/** The rows of a file, and the answers of the calls that were successful, in the order of the rows. */
export interface InvitedFile {
  rows: readonly InvitedRow[];
  answers: InvitationRow[];
}

/**
 * A line is a JSON object, as for the command line, or only an address.
 * @returns the rows; null if a line is neither, and if the file names nobody or too many people
 */
export function readInvitedRows(text: string): InvitedRow[] | null {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const rows = lines.flatMap((content, index) => (content.trim() === '' ? [] : [{ line: index + 1, content: content.trim() }]));
  if (rows.length === 0 || rows.length > MAX_PEOPLE) return null;
  const readRows = rows.map(({ line, content }) => ({ line, members: toMembers(content) }));
  return readRows.every((row): row is InvitedRow => row.members !== null) ? readRows : null;
}

export function splitInvitedRows(rows: readonly InvitedRow[]): InvitedRow[][] {
  const calls: InvitedRow[][] = [];
  let size = 0;
  for (const row of rows) {
    const { length } = JSON.stringify(row.members);
    const lastCall = calls.at(-1);
    size += length;
    if (lastCall && lastCall.length < MAX_ROWS && size <= MAX_CHARACTERS) lastCall.push(row);
    else {
      calls.push([row]);
      size = length;
    }
  }
  return calls;
}

/**
 * Sends the rows that have no answer yet, so that nobody is invited twice if a call has failed and the operator tries again.
 * @returns all answers, with the numbers of their lines. @throws as `send`
 */
export async function sendInvitedRows(
  { rows, answers }: InvitedFile,
  send: (invitations: NewInvitation[]) => Promise<readonly InvitationRow[]>,
): Promise<readonly InvitationRow[]> {
  for (const call of splitInvitedRows(rows.slice(answers.length))) {
    const results = await send(call.map(({ members }) => ({ ...members })));
    answers.push(...results.map((result) => ({ ...result, row: call[result.row - 1]?.line ?? 0 })));
  }
  return answers;
}

function toMembers(content: string): NewInvitation | null {
  if (!content.startsWith('{')) return content.includes('@') ? { email: content } : null;
  try {
    // The operator API checks the members.
    return JSON.parse(content) as NewInvitation;
  } catch {
    return null;
  }
}
