/** The stories on an installation that others run: docker-compose.yml with two gateways, or a running one. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { shareInstallation } from '../support/browser-stage.js';
import { launchChromium } from '../support/chromium.js';
import type { Installation } from '../support/installation.js';
import { LANGUAGES, PortalUser } from '../support/portal-user.js';
import { findRunningLeg, type Gateway, type RunningLeg } from '../support/running-installation.js';
import { emailChangeStories } from './email-change-stories.js';
import { manageStories } from './manage-stories.js';
import { notMeStories } from './not-me-stories.js';
import { passwordResetStories } from './password-reset-stories.js';
import { providerStories } from './provider-stories.js';
import { registrationStories } from './registration-stories.js';
import { startStories } from './start-stories.js';
import { televisionStories } from './television-stories.js';

const TIMEOUT_MS = 240_000;

const leg = await findRunningLeg(process.env);
if ('missing' in leg) {
  process.stderr.write(`SKIPPED: the stories on ${leg.name}: ${leg.missing}\n`);
  const group = describe['skip'];
  group(`the stories on ${leg.name}`, () => {
    it('run if they are requested and the installation is available', () => undefined);
  });
} else {
  describe(`the stories on ${leg.name}`, () => storiesOn(leg));
}

function storiesOn({ start, hasDemoPeople, hasDevices, gateways = [] }: RunningLeg): void {
  const shared = shareInstallation(start, TIMEOUT_MS);

  describe('the first try', () => startStories(shared));
  describe('a registration', () => registrationStories(shared));
  describe('a forgotten password', () => passwordResetStories(shared));
  describe('"that was not me"', () => notMeStories(shared));
  describe('a changed e-mail address', () => emailChangeStories(shared));
  describe('the account area', () => manageStories(shared));
  if (hasDevices) describe('the television', () => televisionStories(shared));
  if (hasDemoPeople) describe('sign-in with a provider', () => providerStories(shared));
  if (gateways.length > 0) describe('two gateways', () => gatewayStories(shared, gateways));
}

function gatewayStories(start: () => Promise<Installation>, gateways: readonly Gateway[]): void {
  let chromium: Browser;

  beforeAll(async () => {
    chromium = await launchChromium();
  });

  afterAll(() => chromium.close());

  it.each(gateways.map((gateway) => [gateway.name, gateway] as const))(
    'a sign-in that began with both gateways completes without %s',
    async (_, gateway) => {
      const { appUrl, newPerson } = await start();
      const context = await chromium.newContext({ locale: 'en-GB' });
      const user = new PortalUser(await context.newPage(), appUrl, LANGUAGES.en);
      const person = await newPerson();
      await user.openSignIn();
      await gateway.stop();
      await user.enterPassword(person);
      await user.press('consent.allow');
      expect(await user.readClaims()).toMatchObject({ amr: ['pwd'] });
      await context.close();
      await gateway.start();
    },
    TIMEOUT_MS,
  );
}
