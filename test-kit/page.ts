/** An answer as a browser receives it: status, cookies, markup, and the page state of Foyer. */
import type { PageState } from '../src/contract/page-state.js';
import type { SetCookie } from './cookie-jar.js';

export interface Answer {
  status: number;
  headers: Headers;
  /** The `Location` of a redirect, or the target of a page that redirects because the address is too long for a header. */
  location: string | null;
  setCookies: SetCookie[];
  html: string;
  /** @returns the state on the page root (GEN-1). @throws Error if there is none, or it belongs to another page */
  state<Page extends PageState['page']>(page: Page): Extract<PageState, { page: Page }>;
}

export type Fields = Record<string, string | readonly string[]>;

export function toForm(fields: Fields): URLSearchParams {
  const body = new URLSearchParams();
  for (const [name, values] of Object.entries(fields)) for (const value of [values].flat()) body.append(name, value);
  return body;
}

export function toAnswer(response: Response, html: string, setCookies: SetCookie[]): Answer {
  return {
    status: response.status,
    headers: response.headers,
    location: response.headers.get('location') ?? findRefreshUrl(html),
    setCookies,
    html,
    state: (page) => {
      const state = toState(html);
      if (state === null)
        throw new Error(`The answer with status ${response.status} is not a page of Foyer: ${html.slice(0, 200)}`);
      if (state.page !== page) throw new Error(`The page is ${state.page}, not ${page}: ${JSON.stringify(state).slice(0, 500)}`);
      return state as Extract<PageState, { page: typeof page }>;
    },
  };
}

function findRefreshUrl(html: string): string | null {
  const url = /<meta http-equiv="refresh" content="0;url=([^"]*)">/.exec(html)?.[1];
  return url === undefined ? null : unescapeHtml(url);
}

/** @returns null for markup that is not a page of Foyer */
export function toState(html: string): PageState | null {
  const attribute = /data-state="([^"]*)"/.exec(html)?.[1];
  return attribute === undefined ? null : (JSON.parse(unescapeHtml(attribute)) as PageState);
}

export function unescapeHtml(text: string): string {
  const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", '#x27': "'" };
  return text.replace(/&(amp|lt|gt|quot|#39|#x27);/g, (_, name: string) => entities[name] ?? '');
}
