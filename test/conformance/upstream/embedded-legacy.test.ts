/** The switch of the embedded upstream for the old statuses, against which the gateway's old branches are tested. */
import { embeddedLegacyLeg } from '../../support/upstream-embedded.js';
import { upstreamContract } from './contract.js';

upstreamContract(embeddedLegacyLeg);
