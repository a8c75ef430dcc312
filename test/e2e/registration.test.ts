import { describe } from '@jest/globals';
import { embeddedInstallation } from '../support/area-installation.js';
import { registrationStories } from './registration-stories.js';

describe('a registration in a browser', () => {
  registrationStories(embeddedInstallation);
});
