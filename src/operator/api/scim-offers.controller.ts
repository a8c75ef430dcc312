/** Offers existing accounts to SCIM sources, which may then take them over. */
import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Post, Query } from '@nestjs/common';
import { AccountList } from '../../accounts/account/account-list.js';
import { OfferedAccounts, type Offer, type OfferOutcome } from '../../accounts/scim/offered-accounts.js';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { defined } from '../../config/defined.js';
import { OPERATOR_API } from '../wire.js';
import type {
  ScimOfferAnswer,
  ScimOfferedAnswer,
  ScimOfferedManyAnswer,
  ScimOffersAnswer,
  ScimWithdrawnAnswer,
} from '../wire-scim.js';
import { AccountLookup } from './account-lookup.js';
import { toAccountQuery } from './account-query.js';
import { readFilter } from './filter-bodies.js';
import { CurrentOperatorContext, type OperatorContext } from './operator-context.js';
import { OperatorFault } from './operator-fault.js';
import { Operation } from './rights.guard.js';
import { ScimListQuery, ScimOfferBody, ScimOfferManyBody } from './scim-bodies.js';
import { ScimSources } from './scim-sources.js';

/** The number of accounts that one call of `offerMany` examines. */
const BATCH_SIZE = 200;

const REFUSALS: Readonly<Record<Exclude<OfferOutcome, 'offered'>, [code: string, message: string, field?: string]>> = {
  operator: ['is_operator', 'The account belongs to an operator, so a SCIM source must not take it over.'],
  kept: ['has_source', 'The account belongs to a user source: unlink it first.'],
  'no-address': ['no_verified_address', 'The account has no verified address: give external_id.', 'external_id'],
  taken: [
    'person_linked',
    'This externalId belongs to another account of the source, or to an offer of another account.',
    'external_id',
  ],
  format: ['format', 'external_id must have 1 to 255 characters, without control characters or lone surrogates.', 'external_id'],
};

@Controller(`${OPERATOR_API}/scim/offers`)
export class ScimOffersController {
  constructor(
    private readonly offers: OfferedAccounts,
    private readonly sources: ScimSources,
    private readonly lookup: AccountLookup,
    private readonly accounts: AccountList,
    @Inject(CONFIG) private readonly config: Pick<Config, 'operator'>,
  ) {}

  /**
   * Lists the accounts that a SCIM source may take over, newest offers first.
   * @throws 400 missing wrong_type, 422 unknown_source
   */
  @Get()
  @Operation('scimOffers.list')
  async list(@Query() { source, cursor, limit }: ScimListQuery): Promise<ScimOffersAnswer> {
    const page = { ...defined({ cursor }), ...(limit === undefined ? {} : { limit: Number(limit) }) };
    const { offers, nextCursor } = await this.offers.list(this.sources.require(source), page);
    return { offers: offers.map((offer) => toOfferAnswer(source, offer)), ...defined({ next_cursor: nextCursor }) };
  }

  /**
   * Offers an account to a SCIM source, which may take it over within 30 days. Replaces an earlier offer of the account. A source that has
   * taken over the account can change and disable it; if people of the source have no passwords here, its password is removed.
   * @throws 400 missing wrong_type, 404 account_not_found, 409 approval_required has_source is_operator no_verified_address person_linked, 422 format unknown_source
   */
  @Post()
  @Operation('scimOffers.offer')
  @HttpCode(200)
  async offer(@Body() body: ScimOfferBody, @CurrentOperatorContext() auditContext: OperatorContext): Promise<ScimOfferedAnswer> {
    const source = this.sources.require(body.source);
    if (body.external_id !== undefined) this.#requireOneOperator();
    const { id: accountId, username } = await this.lookup.get(body.account);
    const externalId = body.external_id ?? null;
    const outcome = await this.offers.offer({ accountId, source, externalId, auditContext });
    if (outcome !== 'offered') {
      const [code, message, field] = REFUSALS[outcome];
      throw new OperatorFault(outcome === 'format' ? 422 : 409, code, message, defined({ field }));
    }
    return { account_id: accountId, username, source: body.source, external_id: externalId };
  }

  /**
   * An operator who names the externalId decides who receives the account, as with a link to a source, but an offer cannot wait for a
   * second operator. An offer by the verified address lets the directory decide.
   * @throws OperatorFault
   */
  #requireOneOperator(): void {
    const { approval, supportCheck } = this.config.operator;
    if (approval === 'off' && !supportCheck) return;
    const message =
      'An offer with external_id would require a second operator or a check, for which it cannot wait: offer the account by its verified address.';
    throw new OperatorFault(409, 'approval_required', message, { field: 'external_id' });
  }

  /**
   * Offers all accounts that match a filter to a SCIM source, each by its verified address. One call examines 200 accounts; the next call
   * continues at `next_cursor`.
   * @throws 400 missing wrong_type unknown_member, 422 format too_long unknown_source
   */
  @Post('many')
  @Operation('scimOffers.offerMany')
  @HttpCode(200)
  async offerMany(
    @Body() { source: id, filter, cursor }: ScimOfferManyBody,
    @CurrentOperatorContext() auditContext: OperatorContext,
  ): Promise<ScimOfferedManyAnswer> {
    const source = this.sources.require(id);
    const query = toAccountQuery(await readFilter('people', filter));
    const { accounts, nextCursor } = await this.accounts.page({ ...query, ...defined({ cursor }), limit: BATCH_SIZE });
    const counts: Record<OfferOutcome | 'gone', number> = {
      ...{ offered: 0, operator: 0, kept: 0, 'no-address': 0 },
      ...{ format: 0, taken: 0, gone: 0 },
    };
    // The accounts are offered one after the other, because sign-ins need the connections to the database.
    for (const { id: accountId } of accounts) {
      counts[await this.offers.offerIfPresent({ accountId, source, externalId: null, auditContext })] += 1;
    }
    const left_out = {
      operator_account: counts.operator,
      has_source: counts.kept,
      no_verified_address: counts['no-address'],
    };
    return { offered: counts.offered, left_out, ...defined({ next_cursor: nextCursor }) };
  }

  /**
   * Withdraws the offer of an account. An account that the source has already taken over stays with the source.
   * @throws 404 account_not_found
   */
  @Delete(':account')
  @Operation('scimOffers.withdraw')
  async withdraw(
    @Param('account') account: string,
    @CurrentOperatorContext() auditContext: OperatorContext,
  ): Promise<ScimWithdrawnAnswer> {
    const { id } = await this.lookup.get(account);
    return { account_id: id, withdrawn: await this.offers.withdraw(id, auditContext) };
  }
}

function toOfferAnswer(source: string, offer: Offer): ScimOfferAnswer {
  return {
    account_id: offer.accountId,
    username: offer.username,
    display_name: offer.displayName,
    source,
    external_id: offer.externalId,
    offered_at: offer.offeredAt.toISOString(),
    offered_by: offer.offeredBy,
    expires_at: offer.expiresAt.toISOString(),
  };
}
