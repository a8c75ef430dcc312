/** Common parts of the gateway: cookies, anti-forgery, pages, faults, probes. */
import { Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD } from '@nestjs/core';
import { FaultFilter } from './http/fault.filter.js';
import { HealthController } from './http/health.controller.js';
import { HomeController } from './http/home.controller.js';
import { OAuthErrorLog } from './http/oauth-error-log.js';
import { ReadinessGauge } from './http/readiness-gauge.js';
import { MountGateway } from './mount-gateway.js';
import { PageComposer } from './page/page-composer.js';
import { Responder } from './page/responder.js';
import { ReturnTickets } from './page/return-tickets.js';
import { ReadinessModule } from './readiness.module.js';
import { AccessGuard } from './security/access.guard.js';
import { Cookies } from './security/cookies.js';
import { PublicOrigin } from './security/public-origin.js';
import { Xsrf } from './security/xsrf.js';

@Module({
  imports: [ReadinessModule],
  controllers: [HealthController, HomeController],
  providers: [
    Cookies,
    MountGateway,
    OAuthErrorLog,
    PageComposer,
    PublicOrigin,
    ReadinessGauge,
    Responder,
    ReturnTickets,
    Xsrf,
    { provide: APP_FILTER, useClass: FaultFilter },
    { provide: APP_GUARD, useClass: AccessGuard },
  ],
  exports: [OAuthErrorLog, ReturnTickets, Xsrf],
})
export class GatewayModule {}
