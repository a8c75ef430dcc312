/** The contract on a running Hydra, which HYDRA_PUBLIC_URL and HYDRA_ADMIN_URL name. */
import { instanceLeg } from '../../support/upstream-instance.js';
import { upstreamContract } from './contract.js';

upstreamContract(await instanceLeg(process.env));
