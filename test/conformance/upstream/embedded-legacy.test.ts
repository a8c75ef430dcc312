/** The old statuses of the embedded upstream, with which the branches of the gateway for old releases are tested. */
import { embeddedLegacyLeg } from '../../support/upstream-embedded.js';
import { upstreamContract } from './contract.js';

upstreamContract(embeddedLegacyLeg);
