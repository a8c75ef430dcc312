/** The stories of joining in front of the embedded upstream. */
import { embeddedLeg } from '../support/upstream-embedded.js';
import { joinFurtherStoriesOn } from './joining-further-stories.js';
import { joinStoriesOn } from './joining-stories.js';

joinStoriesOn(embeddedLeg);
joinFurtherStoriesOn(embeddedLeg);
