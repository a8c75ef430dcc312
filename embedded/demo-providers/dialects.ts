/** The dialects of all demo providers. */
import { apple } from './apple.js';
import { company } from './company.js';
import type { Dialect, DialectId } from './dialect.js';
import { google } from './google.js';
import { microsoft } from './microsoft.js';

export const DIALECTS: Readonly<Record<DialectId, Dialect>> = { google, microsoft, apple, company };
