/**
 * The routes of the registration service: it accepts a ticket, shows a form, and answers the gateway. It stores no
 * accounts; the gateway decides whether a name is available.
 */
import { stringifySetCookie } from 'cookie';
import type { JWTPayload } from 'jose';
import { chooseLanguage, type SiteLanguage } from '../site/language.js';
import type { SiteRequest } from '../site/read-request.js';
import { json, page, redirect, type Reply } from '../site/reply.js';
import type { Routes } from '../site/route-table.js';
import type { Answers } from './answers.js';
import { BadTicket, type GatewayTickets } from './gateway-tickets.js';
import { FIELDS, buildFormPage } from './pages/form.page.js';
import { buildNoticePage } from './pages/notice.page.js';
import { PendingRegistrations, createId, type FormValues, type PendingRegistration } from './pending-registrations.js';

/** All ports of a host share cookies, so the name is unique to this service. */
const BROWSER_COOKIE = 'aufnahme';

export class RegistrationRoutes {
  readonly #registrations = new PendingRegistrations();

  constructor(
    private readonly tickets: GatewayTickets,
    private readonly answers: Answers,
  ) {}

  routes(): Routes {
    return {
      'GET /': (request) => this.#receiveTicket(request),
      'GET /new/:registration': (request) =>
        this.#runInRegistration(request, (registration) => page(buildFormPage(toLanguage(request, registration), registration))),
      'POST /new/:registration': (request) =>
        this.#runInRegistration(request, (registration) => this.#submit(request, registration)),
      'POST /new/:registration/cancel': (request) =>
        this.#runInRegistration(request, (registration) => this.#answer(registration, { error: 'cancelled' })),
      'GET /jwks': () => json(this.answers.keys),
    };
  }

  /** Redirects at once, so that the ticket does not stay in the address. */
  async #receiveTicket(request: SiteRequest): Promise<Reply> {
    try {
      const ticket = await this.tickets.consume(request.url.searchParams.get('ticket') ?? '');
      const browser = request.cookies[BROWSER_COOKIE] ?? createId();
      const cookie = stringifySetCookie(BROWSER_COOKIE, browser, { path: '/', httpOnly: true, sameSite: 'lax' });
      return redirect(`/new/${this.#registrations.begin(browser, ticket).id}`, [cookie]);
    } catch (error) {
      if (error instanceof BadTicket) return showStale(request);
      throw error;
    }
  }

  async #submit(request: SiteRequest, registration: PendingRegistration): Promise<Reply> {
    const form = new URLSearchParams(request.body);
    const values: FormValues = Object.fromEntries(FIELDS.map((name) => [name, (form.get(name) ?? '').trim()]));
    registration.values = values;
    const [missingField] = (['username', 'display_name'] as const).filter((name) => values[name] === '');
    if (missingField) {
      registration.ticket = { ...registration.ticket, refused: { code: 'missing', field: missingField } };
      return page(buildFormPage(toLanguage(request, registration), registration), 422);
    }
    // This service does not verify e-mail addresses.
    const account = { ...values, email_verified: false, language: toLanguage(request, registration) };
    return this.#answer(registration, { account });
  }

  async #answer({ ticket }: PendingRegistration, answer: JWTPayload): Promise<Reply> {
    const url = new URL(ticket.returnUrl);
    url.searchParams.set('answer', await this.answers.sign(ticket.txn, answer));
    return redirect(url.href);
  }

  #runInRegistration(
    request: SiteRequest,
    act: (registration: PendingRegistration) => Reply | Promise<Reply>,
  ): Reply | Promise<Reply> {
    const registration = this.#registrations.find(request.params['registration'] ?? '', request.cookies[BROWSER_COOKIE]);
    return registration ? act(registration) : showStale(request);
  }
}

/** @returns the language of the sign-in, otherwise the browser's preference */
function toLanguage(request: SiteRequest, registration: PendingRegistration): SiteLanguage {
  return chooseLanguage(registration.ticket.locale, request.headers['accept-language']);
}

function showStale(request: SiteRequest): Reply {
  return page(buildNoticePage(chooseLanguage(undefined, request.headers['accept-language']), 'stale'), 400);
}
