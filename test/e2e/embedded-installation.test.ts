/** The stories that change no settings and only their own people of the demo, on one installation as `npm start` starts it. */
import { describe } from '@jest/globals';
import { shareInstallation } from '../support/browser-stage.js';
import { startEmbedded } from '../support/installation.js';
import { accessStories } from './access-stories.js';
import { consoleStories } from './console-stories.js';
import { deviceStories } from './device-stories.js';
import { emailChangeStories } from './email-change-stories.js';
import { manageStories } from './manage-stories.js';
import { notMeStories } from './not-me-stories.js';
import { passkeyAccountStories } from './passkey-account-stories.js';
import { passkeyStories } from './passkey-stories.js';
import { passwordResetStories } from './password-reset-stories.js';
import { providerStories } from './provider-stories.js';
import { registrationStories } from './registration-stories.js';
import { sessionStories } from './session-stories.js';
import { televisionStories } from './television-stories.js';
import { browserTrustStories } from './trusted-browser-stories.js';
import { twoTabsStories } from './two-tabs-stories.js';

const TIMEOUT_MS = 180_000;

describe('in a browser, on the embedded installation,', () => {
  const shared = shareInstallation(startEmbedded, TIMEOUT_MS);

  describe('a registration', () => registrationStories(shared));
  describe('a forgotten password', () => passwordResetStories(shared));
  describe('"that was not me"', () => notMeStories(shared));
  describe('a changed e-mail address', () => emailChangeStories(shared));
  describe('the account area', () => manageStories(shared));
  describe('devices, apps and data', () => accessStories(shared));
  describe('devices', () => deviceStories(shared));
  describe('the television of the demo app', () => televisionStories(shared));
  describe('sessions', () => sessionStories(shared));
  describe('passkeys', () => passkeyStories(shared));

  describe('passkeys that people make', () => passkeyAccountStories(shared));
  describe('trusted browsers', () => browserTrustStories(shared));
  describe('two tabs of one app', () => twoTabsStories(shared));
  describe('the console', () => consoleStories(shared));
  describe('sign-in with a provider', () => providerStories(shared));
});
