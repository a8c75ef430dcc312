/** Adds the gateway's express middleware to a Nest application, in the required order. */
import { Inject, Injectable } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Express, RequestHandler } from 'express';
import type { Logger } from 'pino';
import { Clock } from '../config/clock.js';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.token.js';
import { LOG } from '../config/log.token.js';
import { Telemetry } from '../telemetry/telemetry.js';
import { ManageSessions } from './security/manage-sessions.port.js';
import { rpcAccess } from './http/calls.js';
import { accessLog } from './http/access-log.js';
import { gatewayBodyPipe } from './http/body-rules.js';
import { Assets } from './page/assets.js';
import { Responder } from './page/responder.js';
import { Cookies } from './security/cookies.js';
import { noStore, onlyListedMethods, requestBody, securityHeaders, staticFiles } from './http/middleware.js';
import { requestTelemetry } from './http/request-telemetry.js';
import { ListenerAdapter } from './http/listener.adapter.js';
import type { ContextualRequest } from './http/request-context.js';
import { RouteIndex, type RouteLayer } from './http/route-index.js';
import { requestContextMiddleware } from './http/request-context.middleware.js';

/** `GatewayModule` provides the guard and the filter; `RpcCall` adds the interceptor. */
@Injectable()
export class MountGateway {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOG) private readonly log: Logger,
    private readonly telemetry: Telemetry,
    private readonly assets: Assets,
    private readonly cookies: Cookies,
    private readonly sessions: ManageSessions,
  ) {}

  applyTo(app: NestExpressApplication): void {
    const { config, telemetry } = this;
    app.disable('x-powered-by');
    app.disable('etag');
    app.set('query parser', 'simple');
    app.set('trust proxy', config.trustProxyHops);
    const adapter = ListenerAdapter.get(app);
    const responder = app.get(Responder);
    adapter.sendOutcome = (response, outcome) => {
      responder.send(response, (response.req as ContextualRequest).context, outcome);
    };
    const express: Express = adapter.getInstance();
    // Paths are case-sensitive and without optional slashes: `screenFor` compares them exactly. The adapter has already
    // created the router, so express' own settings have no effect.
    Object.assign(express.router, { strict: true, caseSensitive: true });
    app.use(securityHeaders(config.publicUrl.startsWith('https:')));
    app.use(staticFiles(this.assets));
    app.use(noStore);
    if (telemetry.isOn) app.use(requestTelemetry(telemetry, config.trustProxyHops > 0));
    app.use(requestContextMiddleware(this.cookies, config.language, app.get(Clock)) as RequestHandler);
    app.use(accessLog(this.log, telemetry));
    app.use(rpcAccess(this.sessions));
    const routes = new RouteIndex(() => express.router.stack as unknown as RouteLayer[]);
    app.use(onlyListedMethods(routes));
    app.use(requestBody());
    app.use(routes.dispatch);
    app.useGlobalPipes(gatewayBodyPipe());
  }
}
