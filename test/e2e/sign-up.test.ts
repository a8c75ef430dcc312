/** A sign-up with script, in front of the embedded upstream. */
import { describe } from '@jest/globals';
import { startInstallation } from '../support/installation.js';
import { embeddedLeg } from '../support/upstream-embedded.js';
import { SIGN_UP_SETTINGS, signUpStories } from './sign-up-stories.js';

describe('a sign-up in a browser', () => {
  signUpStories(() => startInstallation(embeddedLeg, SIGN_UP_SETTINGS));
});
