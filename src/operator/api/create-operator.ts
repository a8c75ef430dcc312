/**
 * Makes the operator API, without a listener: the caller listens at `config.operator`, on the loopback address unless
 * somebody decided otherwise. Steps before the routes stand here, in the order that matters.
 */
import type { Server } from 'node:http';
import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import helmet from 'helmet';
import { ConfigError } from '../../config/config.js';
import { noStore, onlyListedMethods } from '../../gateway/http/middleware.js';
import type { RouteLayer } from '../../gateway/http/middleware.js';
import { ListenerAdapter } from '../../gateway/http/listener.adapter.js';
import { requireBearer } from './bearer.js';
import { TELEMETRY_OFF } from '../../telemetry/telemetry.js';
import { operatorContext } from './operator-context.js';
import { FailedTokens } from './failed-tokens.js';
import { metricsPage } from './metrics-page.js';
import { operatorBodyPipe } from './operator-body.pipe.js';
import { operatorLog } from './operator-log.js';
import { OperatorFaultFilter } from './operator-fault.filter.js';
import { OperatorModule } from './operator.module.js';
import type { OperatorFoundation } from './operator.module.js';
import { requireOwnHost } from './host-check.js';
import { requestBody } from './request-body.js';

/** What is used of express, which the gateway alone knows by name. */
interface RoutingSettings {
  disable(name: string): unknown;
  set(name: string, value: unknown): unknown;
  router: { stack: RouteLayer[]; strict: boolean; caseSensitive: boolean };
}

/** @throws ConfigError without a token: an API that is open to everybody is no default (docs/security.md V23) */
export async function createOperator(foundation: OperatorFoundation): Promise<INestApplication<Server>> {
  const app = await NestFactory.create<INestApplication<Server>>(
    OperatorModule.with(foundation),
    new ListenerAdapter(foundation.config.http),
    {
      bodyParser: false,
      logger: false,
      abortOnError: false,
    },
  );
  mount(app, foundation);
  await app.init();
  return app;
}

function mount(app: INestApplication<Server>, foundation: OperatorFoundation): void {
  const { config, clock, log, faultOf, telemetry = TELEMETRY_OFF } = foundation;
  const { host, token } = config.operator;
  if (token === undefined) throw new ConfigError(['OPERATOR_TOKEN: the operator API does not start without a token']);
  const routing = app.getHttpAdapter().getInstance() as RoutingSettings;
  routing.disable('x-powered-by');
  routing.disable('etag');
  routing.set('query parser', 'simple');
  // An address has one spelling. Nest's adapter has already made the router, so express's settings would come too late.
  Object.assign(routing.router, { strict: true, caseSensitive: true });
  app.use(securityHeaders());
  app.use(noStore);
  app.use(operatorContext);
  app.use(operatorLog(log));
  app.use(requireOwnHost(host));
  const metricsToken = config.telemetry.prometheus?.token;
  app.use(requireBearer({ token, ...(metricsToken ? { metricsToken } : {}), failures: new FailedTokens(clock), log }));
  app.use(metricsPage(telemetry));
  app.use(onlyListedMethods(() => routing.router.stack));
  app.use(requestBody);
  app.useGlobalPipes(operatorBodyPipe);
  app.useGlobalFilters(new OperatorFaultFilter(log, faultOf));
}

/** For JSON that nobody should ever see as a page. */
function securityHeaders(): ReturnType<typeof helmet> {
  const none = ["'none'"];
  return helmet({
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: none, baseUri: none, frameAncestors: none } },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    referrerPolicy: { policy: 'no-referrer' },
    xFrameOptions: { action: 'deny' },
    // The listener speaks plain http.
    strictTransportSecurity: false,
  });
}
