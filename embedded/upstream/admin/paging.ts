/** Splits lists into pages. A page token is the encrypted last id of the previous page; the `Link` header (RFC 8288) contains it. */
import type { Core } from '../core.js';
import type { Exchange } from '../http/exchange.js';
import { joinUrl, Query } from '../http/query.js';

const DEFAULT_SIZE = 100;
const MAX_SIZE = 500;

/** The page parameters are invalid. The message becomes part of the answer's description. */
export class UnreadablePage extends Error {}

export interface Page {
  /** The page begins after this id. */
  afterId: string;
  size: number;
}

/** @throws UnreadablePage */
export function readPage(core: Core, query: Query): Page {
  const text = query.first('page_size');
  if (text !== '' && !/^[+-]?\d{1,9}$/.test(text)) {
    throw new UnreadablePage(`Unable to parse pagination parameters: strconv.Atoi: parsing '${text}': invalid syntax`);
  }
  const requestedSize = Number(text);
  const token = query.first('page_token');
  const cursor = core.seal.open('page', token) as { afterId: string } | undefined;
  if (token !== '' && !cursor) {
    throw new UnreadablePage('Unable to parse pagination parameters: decode token: illegal base64 data at input byte 0');
  }
  return { afterId: cursor?.afterId ?? '', size: requestedSize > 0 ? Math.min(requestedSize, MAX_SIZE) : DEFAULT_SIZE };
}

/** Sorts the rows by id, cuts out the page, and writes the links to the first and the next page. */
export function cutPage<T>(core: Core, exchange: Exchange, { rows, page }: { rows: [string, T][]; page: Page }): T[] {
  const remainingRows = rows.filter(([id]) => id > page.afterId).sort(([a], [b]) => (a < b ? -1 : 1));
  const pageRows = remainingRows.slice(0, page.size);
  const links = [buildLink(core, exchange, { rel: 'first', afterId: '', size: page.size })];
  const lastRow = pageRows.at(-1);
  if (lastRow && remainingRows.length > pageRows.length)
    links.push(buildLink(core, exchange, { rel: 'next', afterId: lastRow[0], size: page.size }));
  exchange.res.setHeader('Link', links.join(','));
  return pageRows.map(([, row]) => row);
}

function buildLink(
  core: Core,
  exchange: Exchange,
  { rel, afterId, size }: { rel: string; afterId: string; size: number },
): string {
  const query = Query.parse(exchange.rawQuery);
  query.set('page_size', String(size));
  query.set('page_token', core.seal.seal('page', { afterId }, 64));
  return `<${joinUrl(exchange.path, query)}>; rel="${rel}"`;
}
