import { describe } from '@jest/globals';
import { embeddedInstallation } from '../support/installation.js';
import { sessionStories } from './session-stories.js';

describe('sessions in a browser', () => {
  sessionStories(embeddedInstallation);
});
