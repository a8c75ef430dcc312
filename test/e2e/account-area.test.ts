import { describe } from '@jest/globals';
import { embeddedInstallation } from '../support/installation.js';
import { accountAreaStories } from './account-area-stories.js';

describe('the account area in a browser', () => {
  accountAreaStories(embeddedInstallation);
});
