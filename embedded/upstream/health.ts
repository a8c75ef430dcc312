/** Reports the health on both ports and the version on the admin port, for load balancers and the gateway. */
import type { Core } from './core.js';
import type { Route } from './http/router.js';
import { toUnrecognizable } from './oauth-error.js';

export function buildHealthRoutes(core: Core): Route[] {
  return [
    { method: 'GET', path: '/health/alive', handle: (exchange) => exchange.json({ status: 'ok' }) },
    {
      method: 'GET',
      path: '/health/ready',
      handle: (exchange) => {
        // If changes cannot be written, they are lost at a restart.
        if (!core.store.isHealthy) throw toUnrecognizable(503);
        exchange.json({ status: 'ok' });
      },
    },
  ];
}

export function buildVersionRoutes(core: Core): Route[] {
  return [{ method: 'GET', path: '/version', handle: (exchange) => exchange.json({ version: core.settings.version }) }];
}
