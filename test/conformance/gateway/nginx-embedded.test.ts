/** The gateway behind nginx, in front of the embedded upstream. */
import { embeddedLeg } from '../../support/upstream-embedded.js';
import { nginxStories } from './nginx-stories.js';

nginxStories(embeddedLeg);
