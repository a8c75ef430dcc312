/** The stories of joining in front of the embedded upstream. */
import { embeddedLeg } from '../support/upstream-embedded.js';
import { joinStoriesOn } from './joining-stories.js';

joinStoriesOn(embeddedLeg);
