/**
 * The demo registration service: shows how an external registration service works. It shares no code with the
 * product; `docs/registration.md` describes the protocol between them.
 */
import { chooseLanguage } from '../site/language.js';
import { page } from '../site/reply.js';
import { startSite, type Site } from '../site/start-site.js';
import { createFileHandler } from '../site/static-file.js';
import { Answers } from './answers.js';
import { RegistrationRoutes } from './registration-routes.js';
import { GatewayTickets } from './gateway-tickets.js';
import { buildNoticePage } from './pages/notice.page.js';

export interface RegistrationSettings {
  host: string;
  port: number;
  /** Additional host names besides the loopback ones. */
  hosts?: readonly string[];
  /** Origin of the sign-in pages: issuer of the tickets. */
  gatewayUrl: string;
  /** Address of the gateway's keys, if it differs from `gatewayUrl` with `/register/jwks`. */
  gatewayKeysUrl?: string;
  /** The issuer of this service's answers. */
  issuer: string;
  onFailure?: (error: unknown) => void;
}

/** Has no `form-action`, because the form redirects the browser to the gateway, Hydra and the app, and browsers check each redirect. */
const POLICY = "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'";

/** The gateway may start later: its keys are read at the first ticket. @throws the listening error */
export async function startRegistration({ host, port, hosts = [], onFailure, ...parties }: RegistrationSettings): Promise<Site> {
  const routes = new RegistrationRoutes(new GatewayTickets(parties), await Answers.create(parties));
  return startSite({
    host,
    port,
    hosts,
    headers: { 'content-security-policy': POLICY },
    routes: { ...routes.routes(), 'GET /registration.css': createFileHandler('site/site.css', 'registration/registration.css') },
    renderError: (status, _message, request) => {
      const language = chooseLanguage(undefined, request?.headers['accept-language']);
      return page(buildNoticePage(language, status === 500 ? 'broken' : 'stale'), status);
    },
    ...(onFailure ? { onFailure } : {}),
  });
}
