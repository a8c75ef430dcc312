import { describe } from '@jest/globals';
import { embeddedInstallation } from '../support/area-installation.js';
import { accountAreaStories } from './account-area-stories.js';

describe('the account area in a browser', () => {
  accountAreaStories(embeddedInstallation);
});
