/**
 * The whole contract of releases since v2.2, theme by theme. Older releases keep requests in their database and differ in
 * many ways, so only the statuses are tested for which the gateway has a branch.
 */
import { hasCapability } from '../../../src/hydra/versions.js';
import type { Leg, MissingLeg } from '../../support/upstream-leg.js';
import { runThemes } from './rows.js';
import { claimsRows } from './rows/claims.js';
import { channelRows } from './rows/channels.js';
import { clientRows } from './rows/clients.js';
import { consentRows } from './rows/consent.js';
import { deviceRows } from './rows/device.js';
import { expiryRows } from './rows/expiry.js';
import { secondUseRows } from './rows/handled.js';
import { loginRows } from './rows/login.js';
import { errorRows } from './rows/errors.js';
import { logoutRows } from './rows/logout.js';
import { oryClientRows } from './rows/ory-client.js';
import { promptRows } from './rows/prompt.js';
import { sessionRows } from './rows/sessions.js';
import { tokenHookRows } from './rows/token-hook.js';
import { tokenRows } from './rows/tokens.js';
import { wireRows } from './rows/wire.js';

const THEMES = {
  login: loginRows,
  prompt: promptRows,
  consent: consentRows,
  claims: claimsRows,
  tokens: tokenRows,
  'token hook': tokenHookRows,
  '@ory/client': oryClientRows,
  logout: logoutRows,
  'front and back channel': channelRows,
  sessions: sessionRows,
  clients: clientRows,
  errors: errorRows,
  device: deviceRows,
  wire: wireRows,
  expiry: expiryRows,
};

export function upstreamContract(leg: Leg | MissingLeg): void {
  const isOld = !('missing' in leg) && !hasCapability(leg.version, 'statelessChallenges');
  runThemes(leg, isOld ? { 'handled challenges': secondUseRows } : THEMES);
}
