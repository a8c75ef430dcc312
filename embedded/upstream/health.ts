/** Health on both ports and the version on the admin port, as load balancers and the gateway ask for them. */
import type { Core } from './core.js';
import type { Route } from './http/router.js';
import { unrecognizable } from './oauth-error.js';

export function healthRoutes(core: Core): Route[] {
  return [
    { method: 'GET', path: '/health/alive', handle: (exchange) => exchange.json({ status: 'ok' }) },
    {
      method: 'GET',
      path: '/health/ready',
      handle: (exchange) => {
        // What cannot be written would be forgotten.
        if (!core.store.isHealthy) throw unrecognizable(503);
        exchange.json({ status: 'ok' });
      },
    },
  ];
}

export function versionRoutes(core: Core): Route[] {
  return [{ method: 'GET', path: '/version', handle: (exchange) => exchange.json({ version: core.settings.version }) }];
}
