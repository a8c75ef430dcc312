/** Queries of the calls about terms. */
import { Cursor, Limit } from './body-members.js';

export class AcceptanceListQuery {
  /** The `next_cursor` of the previous page. */
  @Cursor() cursor?: string;
  /** Maximum number of acceptances, up to 200; default: 50. */
  @Limit() limit?: string;
}
