/** The parts of a launch as functions, so that a test can replace them. */
import type { INestApplicationContext } from '@nestjs/common';
import type { Config } from '../../src/config/config.js';
import type { Keys } from '../../src/config/keys.js';
import type { startFoyer } from '../../src/start-foyer.js';
import type { startDemoApp } from '../demo-app/start-demo-app.js';
import type { startMailbox } from '../mailbox/start-mailbox.js';
import type { startDemoProviders } from '../demo-providers/start-demo-providers.js';
import type { startRegistration } from '../registration/start-registration.js';
import type { startUpstream } from '../upstream/start-upstream.js';
import type { ensureDemoAccount, ensureDemoOperator } from './demo-account.js';
import type { registerDemoClient } from './demo-client.js';
import type { PeopleWithKlara } from './demo-klara.js';

export interface Parts {
  startFoyer: typeof startFoyer;
  startUpstream: typeof startUpstream;
  startMailbox: typeof startMailbox;
  startDemoApp: typeof startDemoApp;
  startDemoProviders: typeof startDemoProviders;
  startRegistration: typeof startRegistration;
  startPeople(config: Config, keys: Keys): Promise<PeopleWithKlara>;
  registerDemoClient: typeof registerDemoClient;
  ensureDemoAccount: typeof ensureDemoAccount;
  ensureDemoOperator: typeof ensureDemoOperator;
  createDemoPeople(app: INestApplicationContext, demoProvidersUrl: string): Promise<void>;
}
