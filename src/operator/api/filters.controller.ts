/** Saves, lists and removes filters of lists, for the operator or token that makes the call. */
import { Body, Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { MAX_SAVED_FILTERS, SavedFilters, type SavedFilter } from '../../accounts/operators/saved-filters.js';
import { SavedFilterBody } from './account-bodies.js';
import { readFilter } from './filter-bodies.js';
import { CurrentOperatorContext, type OperatorContext } from './operator-context.js';
import { OperatorFault } from './operator-fault.js';
import { Operation } from './rights.guard.js';
import { OPERATOR_API } from '../wire.js';
import type { SavedFilterAnswer, SavedFilterListAnswer, SavedFilterRemovedAnswer } from '../wire-filters.js';

@Controller(`${OPERATOR_API}/filters`)
export class FiltersController {
  constructor(private readonly filters: SavedFilters) {}

  /** Lists the filters that the calling operator or token has saved, ordered by page and name. */
  @Get()
  @Operation('filters.list')
  async list(@CurrentOperatorContext() context: OperatorContext): Promise<SavedFilterListAnswer> {
    return { filters: (await this.filters.list(context)).map(toSavedFilterAnswer) };
  }

  /**
   * Saves a filter under a name. A filter with the same page and name is replaced.
   * @throws 400 missing wrong_type unknown_member, 409 too_many, 422 too_long
   */
  @Post()
  @Operation('filters.save')
  @HttpCode(200)
  async save(@Body() body: SavedFilterBody, @CurrentOperatorContext() context: OperatorContext): Promise<SavedFilterAnswer> {
    const page = body.page === 'people' ? 'people' : 'activity';
    const filter = await readFilter(page, body.filter);
    const savedFilter = await this.filters.save({ page, name: body.name.trim(), filter }, context);
    if (savedFilter !== null) return toSavedFilterAnswer(savedFilter);
    throw new OperatorFault(409, 'too_many', `No more than ${MAX_SAVED_FILTERS} filters can be saved: remove one first.`);
  }

  /**
   * Removes a saved filter of the calling operator or token.
   * @throws 404 filter_not_found
   */
  @Delete(':filter')
  @Operation('filters.remove')
  async remove(
    @Param('filter') id: string,
    @CurrentOperatorContext() context: OperatorContext,
  ): Promise<SavedFilterRemovedAnswer> {
    if (await this.filters.remove(id, context)) return { removed: 1 };
    throw new OperatorFault(404, 'filter_not_found', 'You have no saved filter with this id.');
  }
}

function toSavedFilterAnswer({ savedAt, ...filter }: SavedFilter): SavedFilterAnswer {
  return { ...filter, saved_at: savedAt.toISOString() };
}
