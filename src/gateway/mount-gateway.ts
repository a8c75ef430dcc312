/** Puts the gateway's express side under a Nest application, in the order that matters. */
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Express, RequestHandler } from 'express';
import type { Logger } from 'pino';
import type { Config } from '../config/config.js';
import type { Telemetry } from '../telemetry/telemetry.js';
import { AccessGuard } from './security/access.guard.js';
import { ManageSessions } from './security/manage-sessions.port.js';
import { rpcAccess } from './http/calls.js';
import { accessLog } from './http/access-log.js';
import { gatewayBodyPipe } from './http/body-rules.js';
import { Assets } from './page/assets.js';
import { Cookies } from './security/cookies.js';
import { FaultFilter } from './http/fault.filter.js';
import type { RouteLayer } from './http/middleware.js';
import { noStore, onlyListedMethods, requestBody, securityHeaders, staticFiles } from './http/middleware.js';
import { OutcomeInterceptor } from './page/outcome.interceptor.js';
import { PublicOrigin } from './security/public-origin.js';
import { requestTelemetry } from './http/request-telemetry.js';
import { requestContextMiddleware } from './http/request-context.middleware.js';

export interface Observers {
  log: Logger;
  telemetry: Telemetry;
}

export function mountGateway(app: NestExpressApplication, config: Config, { log, telemetry }: Observers): void {
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.set('trust proxy', config.trustProxyHops);
  const express: Express = app.getHttpAdapter().getInstance();
  // An address has one spelling: `screenFor` compares it to the letter. The adapter has already made the router, so
  // express's own settings would come too late.
  Object.assign(express.router, { strict: true, caseSensitive: true });
  app.use(securityHeaders(app.get(PublicOrigin).isSecure));
  app.use(staticFiles(app.get(Assets)));
  app.use(noStore);
  if (telemetry.isOn) app.use(requestTelemetry(telemetry, config.trustProxyHops > 0));
  app.use(requestContextMiddleware(app.get(Cookies)) as RequestHandler);
  app.use(accessLog(log, telemetry));
  app.use(rpcAccess(app.get(ManageSessions)));
  app.use(onlyListedMethods(() => express.router.stack as unknown as RouteLayer[]));
  app.use(requestBody());
  app.useGlobalPipes(gatewayBodyPipe());
  app.useGlobalGuards(app.get(AccessGuard));
  app.useGlobalInterceptors(app.get(OutcomeInterceptor));
  app.useGlobalFilters(app.get(FaultFilter));
}
