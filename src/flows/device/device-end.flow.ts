/** The result page for a device. Anybody can open its address, so the page names the app only in the browser that gave access. */
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { LOG } from '../../config/log.token.js';
import type { DeviceEndState } from '../../contract/device-state.js';
import type { RequestContext } from '../../gateway/http/request-context.js';
import { page, type Outcome } from '../../gateway/page/outcome.js';
import { HydraPort } from '../../hydra/hydra.port.js';
import { FlowPages, toLookOptions } from '../sign-in/flow-pages.js';
import { toClientState } from '../sign-in/waiting-request.js';

const REFUSALS: readonly (string | undefined)[] = ['unmet', 'failed'] satisfies DeviceEndState['status'][];

@Injectable()
export class DeviceEndFlow {
  constructor(
    private readonly hydra: HydraPort,
    private readonly pages: FlowPages,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  /** @param clientId from the address, so anybody can choose it */
  async showSuccess(clientId: string, context: RequestContext): Promise<Outcome> {
    const isOwn = this.pages.hasGivenDeviceAccess(clientId, context);
    // An error here must not hide that the device has its access.
    const client = isOwn ? await this.hydra.getClient(clientId).catch((error: unknown) => this.#logFailure(error)) : null;
    const device_end: DeviceEndState = { status: 'success', ...(client ? { client: toClientState(client) } : {}) };
    return page({ page: 'device_end', device_end }, toLookOptions(client));
  }

  showDenial(parameter: string | undefined): Outcome {
    const status = REFUSALS.includes(parameter) ? (parameter as DeviceEndState['status']) : 'denied';
    return page({ page: 'device_end', device_end: { status } });
  }

  #logFailure(error: unknown): null {
    this.log.warn({ err: error }, 'could not read the name of an app from Hydra; the page is shown without it');
    return null;
  }
}
