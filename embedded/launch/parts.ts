/** What a launch puts together, as functions, so that a test can give its own. */
import type { startFoyer } from '../../src/start-foyer.js';
import type { startDemoApp } from '../demo-app/start-demo-app.js';
import type { startMailbox } from '../mailbox/start-mailbox.js';
import type { startUpstream } from '../upstream/start-upstream.js';
import type { ensureDemoAccount } from './demo-account.js';
import type { registerDemoClient } from './demo-client.js';

export interface Parts {
  startFoyer: typeof startFoyer;
  startUpstream: typeof startUpstream;
  startMailbox: typeof startMailbox;
  startDemoApp: typeof startDemoApp;
  registerDemoClient: typeof registerDemoClient;
  ensureDemoAccount: typeof ensureDemoAccount;
}
