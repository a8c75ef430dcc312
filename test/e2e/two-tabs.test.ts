import { describe } from '@jest/globals';
import { embeddedInstallation } from '../support/installation.js';
import { twoTabsStories } from './two-tabs-stories.js';

describe('two tabs of one app in a browser', () => {
  twoTabsStories(embeddedInstallation);
});
