/** The stories of joining in front of the embedded upstream. */
import { embeddedLeg } from '../support/upstream-embedded.js';
import { joiningStoriesOn } from './joining-stories.js';

joiningStoriesOn(embeddedLeg);
