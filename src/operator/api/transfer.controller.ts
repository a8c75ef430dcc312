/** Imports and exports accounts, one on each line. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Controller, Get, Header, HttpCode, Post, Query, Res } from '@nestjs/common';
import { AccountExports, type ExportedAccount } from '../../accounts/transfer/exports.js';
import { FactorTransfers } from '../../mfa/factor-transfers.js';
import { ApprovalGate } from './approval-gate.js';
import { ExportQuery, ImportQuery } from './account-bodies.js';
import { toExportLine } from './answers.js';
import { CurrentOperatorContext, CurrentLines, type OperatorContext } from './operator-context.js';
import { ImportAccounts } from './import-accounts.js';
import { OperatorFault } from './operator-fault.js';
import { Operation } from './rights.guard.js';
import { LINES_TYPE, OPERATOR_API, type ExportLineAnswer, type ImportLineAnswer } from '../wire.js';

const LINES_HEADER = `${LINES_TYPE}; charset=utf-8`;
/** A client that reads nothing for this time is disconnected. */
const STALLED_MS = 60_000;

@Controller(OPERATOR_API)
export class TransferController {
  constructor(
    private readonly importAccounts: ImportAccounts,
    private readonly exports: AccountExports,
    private readonly gate: ApprovalGate,
    private readonly factors: FactorTransfers,
  ) {}

  /**
   * Creates the accounts of a batch. Existing accounts are not changed, so a batch can be sent again.
   * @param lines of ImportLineBody
   * @returns lines of ImportLineAnswer
   * @throws 400 missing, 503 busy
   */
  @Post('imports')
  @Operation('transfer.import')
  @HttpCode(200)
  @Header('Content-Type', LINES_HEADER)
  async import(
    @CurrentLines() lines: readonly string[],
    @Query() { dry_run }: ImportQuery,
    @CurrentOperatorContext() context: OperatorContext,
  ): Promise<string> {
    if (lines.length === 0) throw new OperatorFault(400, 'missing', 'There are no lines to import.');
    return toLines(await this.importAccounts.import(lines, dry_run === 'true', context));
  }

  /**
   * Exports all accounts in import format, oldest first. The audit log records every export.
   * @returns lines of ExportLineAnswer
   * @throws 409 approval_decided, 422 missing
   */
  @Get('exports')
  @Operation('transfer.export')
  async export(
    @Query() { password_hashes, totp_secrets }: ExportQuery,
    @CurrentOperatorContext() context: OperatorContext,
    @Res() response: ServerResponse,
  ): Promise<void> {
    const secrets = { passwordHashes: password_hashes === 'true', totpSecrets: totp_secrets === 'true' };
    const auditContext = await this.gate.admitExport(secrets, context);
    const disconnection = new AbortController();
    response.once('close', () => disconnection.abort());
    response.setTimeout(STALLED_MS, () => response.destroy());
    for await (const page of this.exports.pages(secrets, auditContext)) {
      if (response.destroyed) return;
      if (!response.headersSent) response.setHeader('Content-Type', LINES_HEADER);
      // The next page is fetched only when the connection can take more data.
      if (!response.write(toLines(await this.#toExportLines(page, secrets.totpSecrets))))
        await waitForDrain(response, disconnection.signal);
    }
    if (!response.headersSent) response.setHeader('Content-Type', LINES_HEADER);
    response.end();
  }

  async #toExportLines(page: readonly ExportedAccount[], wantsSecrets: boolean): Promise<ExportLineAnswer[]> {
    const ids = page.map(({ account }) => account.id);
    const members = await this.factors.readMembers(ids, wantsSecrets);
    return page.map((exportedAccount) => toExportLine(exportedAccount, members.get(exportedAccount.account.id)));
  }
}

function toLines(answers: readonly (ImportLineAnswer | ExportLineAnswer)[]): string {
  return answers.map((answer) => `${JSON.stringify(answer)}\n`).join('');
}

/** @param signal aborted when the client has disconnected */
async function waitForDrain(response: ServerResponse, signal: AbortSignal): Promise<void> {
  await once(response, 'drain', { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}
