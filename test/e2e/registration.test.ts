import { describe } from '@jest/globals';
import { embeddedInstallation } from '../support/installation.js';
import { registrationStories } from './registration-stories.js';

describe('a registration in a browser', () => {
  registrationStories(embeddedInstallation);
});
