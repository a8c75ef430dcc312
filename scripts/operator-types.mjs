/** Generates the types of the operator API's client. `npm run build` runs this script. */
import { ensureOperatorTypes } from './lib/operator-api/types.mjs';

await ensureOperatorTypes();
