/**
 * The demo app: an ordinary OpenID Connect client that shows what a connected app receives. It is not part of the
 * product and shares no code and no cookie with it.
 */
import { page } from '../site/reply.js';
import { startSite, type Site } from '../site/start-site.js';
import { createFileHandler } from '../site/static-file.js';
import { DeviceClient } from './device-client.js';
import { buildSiteErrorPage } from './pages/notice.page.js';
import { Portal } from './portal.js';
import { PortalCookies } from './portal-cookies.js';
import { RelyingParty } from './relying-party.js';
import { PortalSessions } from './portal-sessions.js';
import { TelevisionRoutes } from './television-routes.js';
import { Televisions } from './televisions.js';

export interface DemoAppSettings {
  host: string;
  port: number;
  issuer: string;
  clientId: string;
  clientSecret: string;
  televisionClientId: string;
  /** Origin under which the browser reaches the demo app, without a trailing slash. */
  baseUrl: string;
  /** Origin of the sign-in pages; shown to the person and allowed as a form target. */
  gatewayUrl: string;
  /** Address of the mailbox in which the mails of the demo arrive. */
  mailboxUrl?: string | undefined;
  onFailure?: (error: unknown) => void;
  /** The current time in milliseconds since 1970; televisions use it for polling and expiry. */
  nowMs?: () => number;
}

/** The issuer may start later: discovery runs on first use. @throws the listening error */
export async function startDemoApp(settings: DemoAppSettings): Promise<Site> {
  const cookies = new PortalCookies(settings.baseUrl.startsWith('https:'));
  const portal = new Portal(new RelyingParty(settings), new PortalSessions(), cookies, settings);
  const device = new DeviceClient({ issuer: settings.issuer, clientId: settings.televisionClientId });
  const televisions = new Televisions(device, settings.nowMs ?? Date.now);
  const policy = buildContentPolicy(settings);
  const televisionRoutes = new TelevisionRoutes(televisions, cookies, `${policy}; script-src 'self'; connect-src 'self'`);
  return startSite({
    host: settings.host,
    port: settings.port,
    hosts: [new URL(settings.baseUrl).hostname],
    headers: { 'content-security-policy': policy },
    routes: {
      ...portal.routes(),
      ...televisionRoutes.routes(),
      'GET /portal.css': createFileHandler('site/site.css', 'demo-app/portal.css', 'demo-app/television.css'),
      'GET /television.js': createFileHandler('demo-app/television.js'),
      'GET /logo.svg': createFileHandler('demo-app/logo.svg'),
      'GET /favicon.ico': createFileHandler('demo-app/logo.svg'),
    },
    renderError: (status, message, request) =>
      page(
        request ? buildSiteErrorPage(cookies.readLanguage(request), status) : buildSiteErrorPage('en', status, message),
        status,
      ),
    ...(settings.onFailure ? { onFailure: settings.onFailure } : {}),
  });
}

/** `form-action` lists every origin of the sign-out redirects, because Chromium checks each redirect against it. */
function buildContentPolicy({ issuer, gatewayUrl }: DemoAppSettings): string {
  const targets = new Set([new URL(issuer).origin, new URL(gatewayUrl).origin]);
  return [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    `form-action 'self' ${[...targets].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
