import { describe } from '@jest/globals';
import { embeddedInstallation } from '../support/installation.js';
import { notMeStories } from './not-me-stories.js';

describe('"that was not me"', () => {
  notMeStories(embeddedInstallation);
});
