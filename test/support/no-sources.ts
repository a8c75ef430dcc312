/** An installation without `USER_SOURCES`. */
import { pino } from 'pino';
import { UserSources } from '../../src/sources/user-sources.js';

export const NO_SOURCES = new UserSources([], pino({ level: 'silent' }));
