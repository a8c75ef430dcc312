/** Bodies of the RPC calls about a factor. Each kind defines its own (`Factor.bodies`). */
import type { Type } from '@nestjs/common';
import { gatewayBodyPipe } from '../gateway/http/body-rules.js';
import type { FactorAnswer } from './factor.port.js';

const PIPE = gatewayBodyPipe();

/** @param type absent for a call without a body @throws CallFailed */
export async function readFactorBody(type: Type<object> | undefined, body: unknown): Promise<FactorAnswer> {
  return type ? { ...(await PIPE.read(type, body)) } : {};
}
