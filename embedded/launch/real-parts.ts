/** The parts of a real launch. This file is imported after the settings were read, so that a start with invalid settings fails quickly. */
import { startFoyer } from '../../src/start-foyer.js';
import { startDemoApp } from '../demo-app/start-demo-app.js';
import { startMailbox } from '../mailbox/start-mailbox.js';
import { startDemoProviders } from '../demo-providers/start-demo-providers.js';
import { startRegistration } from '../registration/start-registration.js';
import { startUpstream, type UpstreamEvent } from '../upstream/start-upstream.js';
import { ensureDemoAccount, ensureDemoOperator } from './demo-account.js';
import { startPeople } from './demo-klara.js';
import { buildJonas, importPerson } from './demo-people.js';
import { registerDemoClient } from './demo-client.js';
import type { Parts } from './parts.js';

export const realParts: Parts = {
  startFoyer,
  startMailbox,
  startUpstream: (options) => startUpstream({ ...options, onEvent: (event) => printLine('upstream', describeEvent(event)) }),
  startDemoApp: (settings) => startDemoApp({ ...settings, onFailure: (error) => printLine('demo app', String(error)) }),
  startDemoProviders: (settings) =>
    startDemoProviders({ ...settings, onFailure: (error) => printLine('demo providers', String(error)) }),
  startRegistration: (settings) =>
    startRegistration({ ...settings, onFailure: (error) => printLine('registration service', String(error)) }),
  startPeople: (config, keys) => startPeople(config, keys, (error) => printLine('example user source', String(error))),
  registerDemoClient,
  ensureDemoAccount,
  ensureDemoOperator,
  createDemoPeople: async (app, demoProvidersUrl) => {
    for (const person of buildJonas(demoProvidersUrl)) await importPerson(app, person);
  },
};

function describeEvent(event: UpstreamEvent): string {
  if (event.type === 'back-channel-logout-failed') return `${event.type} (${event.clientId}: ${event.reason})`;
  return `${event.type} (${String(event.error)})`;
}

function printLine(part: string, event: string): void {
  process.stderr.write(`${part}: ${event}\n`);
}
