/** Adds the Express middleware of the operator API to its Nest application, in the required order. */
import type { Server } from 'node:http';
import { Inject, Injectable, type INestApplication } from '@nestjs/common';
import helmet from 'helmet';
import type { Logger } from 'pino';
import { Clock } from '../../config/clock.js';
import { ConfigError, type Config } from '../../config/config.js';
import { ScimRequests } from '../../accounts/scim/scim-requests.js';
import { CONFIG } from '../../config/config.token.js';
import { LOG } from '../../config/log.token.js';
import { noStore, onlyListedMethods } from '../../gateway/http/middleware.js';
import { RouteIndex, type RouteLayer } from '../../gateway/http/route-index.js';
import { Telemetry } from '../../telemetry/telemetry.js';
import { ConsoleAccess } from '../console/console-access.js';
import type { ConsoleFiles } from '../console/console-files.js';
import { admitHook } from '../hooks/hook-key.js';
import { admitScim } from '../scim/scim-access.js';
import { requireBearer } from './bearer.js';
import { FailedTokens } from './failed-tokens.js';
import { metricsPage } from './metrics-page.js';
import { operatorBodyPipe } from './operator-body.pipe.js';
import { operatorContext } from './operator-context.js';
import { operatorLog } from './operator-log.js';
import { requireOwnHost } from './host-check.js';
import { requestBody } from './request-body.js';

/** The part of Express that is used here; only the gateway imports Express. */
interface RoutingSettings {
  disable(name: string): unknown;
  set(name: string, value: unknown): unknown;
  router: { stack: RouteLayer[]; strict: boolean; caseSensitive: boolean };
}

@Injectable()
export class MountOperator {
  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'operator' | 'telemetry' | 'console' | 'tokenHook' | 'scim'>,
    @Inject(LOG) private readonly log: Logger,
    private readonly telemetry: Telemetry,
    private readonly failures: FailedTokens,
    private readonly consoleAccess: ConsoleAccess,
  ) {}

  /**
   * @param files the browser application of the console; null if it is off
   * @throws ConfigError without a token: an API must not be open to everybody by default (docs/security.md, V23)
   */
  mount(app: INestApplication<Server>, files: ConsoleFiles | null): void {
    const { config, log, telemetry, failures } = this;
    const { host, hostNames, token, trustProxyHops } = config.operator;
    const tokens = [...(token === undefined ? [] : [{ rights: 'admin' as const, token }]), ...config.operator.tokens];
    if (tokens.length === 0)
      throw new ConfigError(['OPERATOR_TOKEN: is missing; the operator API does not start without a token']);
    const routing = app.getHttpAdapter().getInstance() as RoutingSettings;
    routing.disable('x-powered-by');
    routing.disable('etag');
    routing.set('query parser', 'simple');
    routing.set('trust proxy', trustProxyHops);
    // Each path has one spelling. The router already exists, so `strict routing` and `case sensitive routing` would have no effect.
    Object.assign(routing.router, { strict: true, caseSensitive: true });
    app.use(securityHeaders());
    app.use(noStore);
    app.use(operatorContext(app.get(Clock)));
    app.use(operatorLog(log));
    app.use(requireOwnHost([host, ...hostNames, ...toHostNames(config.console)]));
    if (config.console && files) app.use(files.middleware(config.console.url.startsWith('https:')));
    if (config.console) app.use(this.consoleAccess.middleware());
    app.use(admitHook({ keys: config.tokenHook.keys, failures, log }));
    app.use(admitScim({ sources: config.scim, requests: app.get(ScimRequests), failures, log }));
    const metricsToken = config.telemetry.prometheus?.token;
    app.use(requireBearer({ tokens, ...(metricsToken ? { metricsToken } : {}), failures, log }));
    app.use(metricsPage(telemetry));
    app.use(onlyListedMethods(new RouteIndex(() => routing.router.stack)));
    app.use(requestBody);
    app.useGlobalPipes(operatorBodyPipe);
  }
}

/** @returns the host names by which browsers and Hydra reach the console */
function toHostNames(console: Config['console']): string[] {
  return console === undefined ? [] : [console.url, console.backChannelUrl].map((url) => new URL(url).hostname);
}

/** Headers for JSON that a browser must never show as a page. */
function securityHeaders(): ReturnType<typeof helmet> {
  const noSources = ["'none'"];
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: noSources, baseUri: noSources, frameAncestors: noSources },
    },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    referrerPolicy: { policy: 'no-referrer' },
    xFrameOptions: { action: 'deny' },
    // The API has no pages, and with a certificate it does not accept plain http.
    strictTransportSecurity: false,
  });
}
