/** Shows the terms of the installation (`TERMS`), their texts, and what an account has accepted. */
import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { TermsAcceptances, type TermsEvidence } from '../../accounts/terms/terms-acceptances.js';
import type { Config, Terms } from '../../config/config.js';
import { CONFIG } from '../../config/config.token.js';
import { defined } from '../../config/defined.js';
import { OPERATOR_API } from '../wire.js';
import type { AcceptanceAnswer, AcceptanceListAnswer, TermsAnswer, TermsListAnswer, TermsTextAnswer } from '../wire-terms.js';
import { AccountLookup } from './account-lookup.js';
import { OperatorFault } from './operator-fault.js';
import { Operation } from './rights.guard.js';
import { AcceptanceListQuery } from './terms-bodies.js';

@Controller(`${OPERATOR_API}/terms`)
export class TermsController {
  constructor(
    private readonly acceptances: TermsAcceptances,
    @Inject(CONFIG) private readonly config: Pick<Config, 'terms'>,
  ) {}

  /** Lists the terms of the installation with their current versions, in the order of the setting. */
  @Get()
  @Operation('terms.list')
  list(): TermsListAnswer {
    return { terms: this.config.terms.map(toTermsAnswer) };
  }

  /**
   * Shows a text of the current terms, or a text that a person has accepted. Accepted texts are stored, even if their files change.
   * @throws 404 terms_text_not_found
   */
  @Get('texts/:sha256')
  @Operation('terms.text')
  async text(@Param('sha256') sha256: string): Promise<TermsTextAnswer> {
    const currentText = this.config.terms.flatMap(({ texts }) => texts).find((candidate) => candidate.sha256 === sha256);
    const text = currentText?.text ?? (await this.acceptances.findText(sha256));
    if (text === null)
      throw new OperatorFault(404, 'terms_text_not_found', 'Neither a current nor an accepted text has this hash.');
    return { sha256, text };
  }
}

@Controller(`${OPERATOR_API}/accounts/:id/terms`)
export class AccountTermsController {
  constructor(
    private readonly lookup: AccountLookup,
    private readonly acceptances: TermsAcceptances,
  ) {}

  /**
   * Lists the terms that a person has accepted, newest first, including withdrawn acceptances. The list is deleted with the account; the
   * audit log keeps the events.
   * @throws 400 wrong_type, 404 account_not_found
   */
  @Get()
  @Operation('accountTerms.list')
  async list(@Param('id') id: string, @Query() { cursor, limit }: AcceptanceListQuery): Promise<AcceptanceListAnswer> {
    const account = await this.lookup.get(id);
    const page = await this.acceptances.page(account.id, {
      ...defined({ cursor }),
      ...(limit === undefined ? {} : { limit: Number(limit) }),
    });
    return { acceptances: page.acceptances.map(toAcceptanceAnswer), ...defined({ next_cursor: page.nextCursor }) };
  }
}

function toTermsAnswer({ id, version, clients, from, laterUntil, texts }: Terms): TermsAnswer {
  return {
    id,
    version,
    client_ids: clients === undefined ? null : [...clients],
    from: from?.toISOString() ?? null,
    later_until: laterUntil?.toISOString() ?? null,
    texts: texts.map(({ locale: language, title, sha256 }) => ({ language, title, sha256 })),
  };
}

function toAcceptanceAnswer({ terms, version, sha256, locale, client, ...details }: TermsEvidence): AcceptanceAnswer {
  return {
    terms,
    version,
    sha256,
    language: locale,
    client_id: client,
    accepted_at: details.acceptedAt.toISOString(),
    withdrawn_at: details.withdrawnAt?.toISOString() ?? null,
    request_id: details.requestId,
  };
}
