/**
 * Imports a batch of accounts. Each line has its own result. The accounts of the valid lines are created in one transaction.
 * Plain passwords are hashed one after the other, so that they do not fill the queue in which sign-ins wait.
 */
import { Injectable } from '@nestjs/common';
import { toReadId } from '../../accounts/account/account-subjects.js';
import { AccountImports, type ImportOutcome, type ImportRow } from '../../accounts/transfer/imports.js';
import { PasswordHasher } from '../../accounts/password/hasher.js';
import { PasswordRules } from '../../accounts/password/password-rules.js';
import { AccountError, UsernameHeld } from '../../accounts/account/account.errors.js';
import { FactorTransfers } from '../../mfa/factor-transfers.js';
import type { OperatorContext } from './operator-context.js';
import { LineServices, toInvalidLine, readImportLine, type ParsedLine } from './import-line.js';
import { OperatorFault } from './operator-fault.js';
import { retryWhileBusy } from './retry-while-busy.js';
import { requireGoodPassword } from './password-refusal.js';
import type { ImportLineAnswer } from '../wire.js';

@Injectable()
export class ImportAccounts {
  constructor(
    private readonly services: LineServices,
    private readonly imports: AccountImports,
    private readonly rules: PasswordRules,
    private readonly hasher: PasswordHasher,
    private readonly factors: FactorTransfers,
  ) {}

  /** @returns a result for each line, in the same order */
  async import(lines: readonly string[], isDryRun: boolean, auditContext: OperatorContext): Promise<ImportLineAnswer[]> {
    const entries = await Promise.all(lines.map((text, index) => readImportLine(text, index + 1, this.services)));
    const { firstEntries, answers } = separateDuplicates(await Promise.all(entries.map((entry) => this.#checkPassword(entry))));
    const outcomes = await this.imports.check(firstEntries.map(({ account }) => account));
    const deletedIds = await this.services.changes.findDeletedIds(firstEntries.flatMap(({ account }) => toSubjects(account)));
    const freeEntries = firstEntries.filter((entry, index) => {
      const outcome = outcomes[index] ?? { kind: 'free' };
      if (outcome.kind !== 'free') answers.push(toLineAnswer(entry, outcome));
      else if (toSubjects(entry.account).some((id) => deletedIds.has(id))) answers.push(toDeletedAnswer(entry));
      else return true;
      return false;
    });
    if (isDryRun) {
      answers.push(
        ...freeEntries.map(({ line, account }) => ({ line, result: 'would_create' as const, username: account.username })),
      );
    } else {
      const rows: ImportRow[] = [];
      for (const entry of freeEntries) rows.push(await this.#toRow(entry));
      const secretsByRow = new Map(
        rows.map((row, index) => [row, freeEntries[index]?.factorSecrets ?? new Map<string, string>()]),
      );
      const results = await this.imports.insert(rows, auditContext, (accounts, trx) => {
        return this.factors.insert(
          accounts.map(({ id, row }) => ({ id, factorSecrets: secretsByRow.get(row) ?? new Map<string, string>() })),
          trx,
        );
      });
      answers.push(...freeEntries.map((entry, index) => toLineAnswer(entry, results[index] ?? { kind: 'free' })));
    }
    return answers.sort((left, right) => left.line - right.line);
  }

  /** @returns the line, or its result if it already has one or its password is refused */
  async #checkPassword(entry: ParsedLine | ImportLineAnswer): Promise<ParsedLine | ImportLineAnswer> {
    if (!('account' in entry) || entry.password === undefined) return entry;
    const { username } = entry.account;
    try {
      const hasFactor = entry.factorSecrets.size > 0;
      const usesSecondFactor = this.rules.usesSecondFactor({ secondFactor: entry.account.second_factor ?? null, hasFactor });
      requireGoodPassword(await this.rules.findFaults(entry.password, username, usesSecondFactor));
      return entry;
    } catch (error) {
      return toInvalidLine(entry.line, error);
    }
  }

  async #toRow({ account, factorSecrets, password }: ParsedLine): Promise<ImportRow> {
    const { hash } = account;
    const row = { ...account, factorDetail: this.factors.toDetail(factorSecrets) };
    if (password === undefined) return { ...row, passwordHash: hash?.text ?? null, passwordKind: hash?.name ?? 'none' };
    return {
      ...row,
      passwordHash: await retryWhileBusy(() => this.hasher.hash(password), buildBusyFault),
      passwordKind: 'plain',
    };
  }
}

function buildBusyFault(): OperatorFault {
  const message = 'Nothing was imported, because too many sign-ins are in progress: try again later.';
  return new OperatorFault(503, 'busy', message, { headers: { 'Retry-After': '5' } });
}

/** Keeps the first of several lines with the same username, id, subject or person. */
function separateDuplicates(entries: readonly (ParsedLine | ImportLineAnswer)[]): {
  firstEntries: ParsedLine[];
  answers: ImportLineAnswer[];
} {
  const firstLines = new Map<string, number>();
  const firstEntries: ParsedLine[] = [];
  const answers: ImportLineAnswer[] = [];
  for (const entry of entries) {
    if (!('account' in entry)) {
      answers.push(entry);
      continue;
    }
    const { line, account } = entry;
    const keys = toUniqueKeys(account);
    const firstLine = keys.flatMap((key) => firstLines.get(key) ?? [])[0];
    if (firstLine === undefined) {
      for (const key of keys) firstLines.set(key, line);
      firstEntries.push(entry);
    } else answers.push({ line, result: 'duplicate', username: account.username, first_line: firstLine });
  }
  return { firstEntries, answers };
}

function toUniqueKeys({ username_key, id, subject, person }: ParsedLine['account']): string[] {
  return [
    `name ${username_key}`,
    ...(id === undefined ? [] : [`subject ${id}`]),
    ...(subject === null ? [] : [`subject ${subject}`]),
    ...(person ? [`person ${person.source} ${person.subject}`] : []),
  ];
}

/** The ids by which apps identify the account. */
function toSubjects({ id, subject }: ParsedLine['account']): string[] {
  return [id, subject, toReadId(subject)].flatMap((text) => text?.toLowerCase() ?? []);
}

function toDeletedAnswer({ line, account: { username } }: ParsedLine): ImportLineAnswer {
  const message =
    'An account with this id was deleted. Assigning the id again requires a second operator or a check, for which an import cannot wait (OPERATOR_APPROVAL, SUPPORT_CHECK): leave out id and subject.';
  return { ...toInvalidLine(line, new OperatorFault(409, 'approval_required', message, { field: 'id' })), username };
}

function toLineAnswer({ line, account: { username } }: ParsedLine, outcome: ImportOutcome): ImportLineAnswer {
  switch (outcome.kind) {
    case 'created':
    case 'exists':
      return { line, result: outcome.kind, username, id: outcome.id };
    case 'conflict':
      return { ...toInvalidLine(line, outcome.error), username };
    case 'held':
    case 'id-taken':
    case 'free':
      return { ...toInvalidLine(line, toLineError(outcome.kind)), username };
  }
}

function toLineError(kind: 'held' | 'id-taken' | 'free'): AccountError | OperatorFault {
  if (kind === 'held') return new UsernameHeld();
  if (kind === 'id-taken') {
    return new OperatorFault(409, 'id_taken', 'Another account, with another username, has this id.', { field: 'id' });
  }
  // The username, id or person was taken during the import, and was free again at the next check.
  return new OperatorFault(409, 'conflict', 'Another change was made at the same time: send the line again.', {
    field: 'username',
  });
}
