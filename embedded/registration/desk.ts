/**
 * What the registration service does at each of its addresses: takes a ticket, shows a form, answers the gateway. It keeps
 * no accounts; whether a name is free, the gateway says.
 */
import { stringifySetCookie } from 'cookie';
import type { JWTPayload } from 'jose';
import { chooseLanguage } from '../site/language.js';
import type { SiteLanguage } from '../site/language.js';
import type { SiteRequest } from '../site/read-request.js';
import { json, page, redirect } from '../site/reply.js';
import type { Reply } from '../site/reply.js';
import type { Routes } from '../site/route-table.js';
import type { Answers } from './answers.js';
import { BadTicket } from './gateway-tickets.js';
import type { GatewayTickets } from './gateway-tickets.js';
import { FIELDS, formPage } from './pages/form.page.js';
import { noticePage } from './pages/notice.page.js';
import { Visits, randomId } from './visits.js';
import type { Typed, RequestContext } from './visits.js';

/** On one host name all ports share their cookies, so the name is its own. */
const BROWSER_COOKIE = 'aufnahme';

export class Desk {
  readonly #visits = new Visits();

  constructor(
    private readonly tickets: GatewayTickets,
    private readonly answers: Answers,
  ) {}

  routes(): Routes {
    return {
      'GET /': (request) => this.#arrive(request),
      'GET /new/:visit': (request) => this.#in(request, (visit) => page(formPage(languageOf(request, visit), visit))),
      'POST /new/:visit': (request) => this.#in(request, (visit) => this.#submit(request, visit)),
      'POST /new/:visit/cancel': (request) => this.#in(request, (visit) => this.#answer(visit, { error: 'cancelled' })),
      'GET /jwks': () => json(this.answers.keys),
    };
  }

  /** The ticket leaves the address at once. */
  async #arrive(request: SiteRequest): Promise<Reply> {
    try {
      const ticket = await this.tickets.take(request.url.searchParams.get('ticket') ?? '');
      const browser = request.cookies[BROWSER_COOKIE] ?? randomId();
      const cookie = stringifySetCookie(BROWSER_COOKIE, browser, { path: '/', httpOnly: true, sameSite: 'lax' });
      return redirect(`/new/${this.#visits.begin(browser, ticket).id}`, [cookie]);
    } catch (error) {
      if (error instanceof BadTicket) return stale(request);
      throw error;
    }
  }

  async #submit(request: SiteRequest, visit: RequestContext): Promise<Reply> {
    const form = new URLSearchParams(request.body);
    const typed: Typed = Object.fromEntries(FIELDS.map((name) => [name, (form.get(name) ?? '').trim()]));
    visit.typed = typed;
    const [missing] = (['username', 'display_name'] as const).filter((name) => typed[name] === '');
    if (missing) {
      visit.ticket = { ...visit.ticket, refused: { code: 'missing', field: missing } };
      return page(formPage(languageOf(request, visit), visit), 422);
    }
    // Nobody has looked into that mailbox yet, so the address is not called verified.
    const account = { ...typed, email_verified: false, language: languageOf(request, visit) };
    return this.#answer(visit, { account });
  }

  async #answer({ ticket }: RequestContext, said: JWTPayload): Promise<Reply> {
    const url = new URL(ticket.returnUrl);
    url.searchParams.set('answer', await this.answers.sign(ticket.txn, said));
    return redirect(url.href);
  }

  #in(request: SiteRequest, act: (visit: RequestContext) => Reply | Promise<Reply>): Reply | Promise<Reply> {
    const visit = this.#visits.find(request.params['visit'] ?? '', request.cookies[BROWSER_COOKIE]);
    return visit ? act(visit) : stale(request);
  }
}

/** The language that the sign-in was in. */
function languageOf(request: SiteRequest, visit: RequestContext): SiteLanguage {
  return chooseLanguage(visit.ticket.locale, request.headers['accept-language']);
}

function stale(request: SiteRequest): Reply {
  return page(noticePage(chooseLanguage(undefined, request.headers['accept-language']), 'stale'), 400);
}
