/**
 * The checks of the doctor in the order of the report, except `burst.check.ts`, which runs only on request. The order matters, because
 * an early fault often causes later ones.
 */
import type { Check } from './check.js';
import { attributesCheck } from './checks/attributes.check.js';
import { clientsCheck } from './checks/clients.check.js';
import { clockCheck } from './checks/clock.check.js';
import { consoleCheck } from './checks/console.check.js';
import { cookiesCheck } from './checks/cookies.check.js';
import { databaseCheck } from './checks/database.check.js';
import { devicesCheck } from './checks/devices.check.js';
import { factorsCheck } from './checks/factors.check.js';
import { gatewayCheck } from './checks/gateway.check.js';
import { linksCheck } from './checks/links.check.js';
import { looksCheck } from './checks/looks.check.js';
import { mailCheck } from './checks/mail.check.js';
import { operatorCheck } from './checks/operator.check.js';
import { passkeysCheck } from './checks/passkeys.check.js';
import { passwordsCheck } from './checks/passwords.check.js';
import { providersCheck } from './checks/providers.check.js';
import { proxyCheck } from './checks/proxy.check.js';
import { secretsCheck } from './checks/secrets.check.js';
import { settingsCheck } from './checks/settings.check.js';
import { sinksCheck } from './checks/sinks.check.js';
import { usernamesCheck } from './checks/usernames.check.js';
import { tokenHookCheck } from './checks/token-hook.check.js';
import { scimCheck } from './checks/scim.check.js';
import { sourcesCheck } from './checks/sources.check.js';
import { upstreamPagesCheck } from './checks/upstream-pages.check.js';
import { upstreamCheck } from './checks/upstream.check.js';

export const CHECKS: readonly Check[] = [
  settingsCheck,
  secretsCheck,
  gatewayCheck,
  proxyCheck,
  upstreamCheck,
  upstreamPagesCheck,
  devicesCheck,
  cookiesCheck,
  clientsCheck,
  databaseCheck,
  usernamesCheck,
  attributesCheck,
  clockCheck,
  mailCheck,
  factorsCheck,
  passkeysCheck,
  passwordsCheck,
  providersCheck,
  sourcesCheck,
  scimCheck,
  linksCheck,
  looksCheck,
  operatorCheck,
  tokenHookCheck,
  sinksCheck,
  consoleCheck,
];
