/** Rules for the gateway's bodies and queries: those of forms, and those of RPC calls (ERR-3). */
import { SetMetadata, type Type } from '@nestjs/common';
import { BodyPipe, type BodyRules } from './body.pipe.js';
import { CallFailed } from './calls.js';
import { Fault } from './faults.js';

const CALL = 'foyer:call-body';

type CallKind = 'required' | 'optional';

/** Marks the class of an RPC body; `optional`: the body may be absent. */
export const CallBody = (kind: CallKind = 'required'): ClassDecorator => SetMetadata<string, CallKind>(CALL, kind);

const FORM: BodyRules = {
  notAnObject: () => new Fault('bad_request', 'The body has no fields'),
  invalidMembers: (members) => new Fault('bad_request', `Invalid fields: ${members.map(({ name }) => name).join(', ')}`),
};

const createParseFailure = (): CallFailed => new CallFailed('could not parse request');

const OPTIONAL_CALL: BodyRules = { notAnObject: createParseFailure, invalidMembers: createParseFailure };
const REQUIRED_CALL: BodyRules = { ...OPTIONAL_CALL, noBody: createParseFailure };

function toRules(type: Type<object>): BodyRules {
  const kind = Reflect.getMetadata(CALL, type) as CallKind | undefined;
  if (kind === undefined) return FORM;
  return kind === 'required' ? REQUIRED_CALL : OPTIONAL_CALL;
}

/** The pipe for every route of the gateway. */
export const gatewayBodyPipe = (): BodyPipe => new BodyPipe(toRules);
