import { describe } from '@jest/globals';
import { embeddedInstallation } from '../support/installation.js';
import { manageStories } from './manage-stories.js';

describe('the account area in a browser', () => {
  manageStories(embeddedInstallation);
});
