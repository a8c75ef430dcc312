/** Makes the types of the operator API's client; a part of `npm run build`. */
import { ensureOperatorTypes } from './lib/operator-api/types.mjs';

await ensureOperatorTypes();
