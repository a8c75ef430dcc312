import { describe } from '@jest/globals';
import { embeddedInstallation } from '../support/installation.js';
import { passwordResetStories } from './password-reset-stories.js';

describe('a forgotten password', () => {
  passwordResetStories(embeddedInstallation);
});
