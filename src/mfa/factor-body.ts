/** Bodies of the calls about a factor: what is in them, its kind says (`Factor.bodies`). */
import type { Type } from '@nestjs/common';
import { gatewayBodyPipe } from '../gateway/http/body-rules.js';
import type { FactorAnswer } from './factor.port.js';

const PIPE = gatewayBodyPipe();

/** @param type none for a call that brings nothing. Throws CallFailed */
export async function readFactorBody(type: Type<object> | undefined, given: unknown): Promise<FactorAnswer> {
  return type ? { ...(await PIPE.read(type, given)) } : {};
}
