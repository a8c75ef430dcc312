/** Which code an error of the framework has on the page. */
import { HttpException } from '@nestjs/common';
import type { Response } from 'express';
import type { Logger } from 'pino';
import { expect, it } from '@jest/globals';
import type { Outcome } from '../page/outcome.js';
import type { Responder } from '../page/responder.js';
import type { ReturnTickets } from '../page/return-tickets.js';
import { FaultFilter } from './fault.filter.js';
import type { ContextualRequest } from './request-context.js';

it.each([
  [403, 'forbidden'],
  [404, 'page_not_found'],
  [418, 'bad_request'],
  [502, 'internal'],
])('an error of the framework with the status %d has the code %s', (status, code) => {
  const outcomes: Outcome[] = [];
  const responder = { send: (_response: unknown, _context: unknown, outcome: Outcome) => outcomes.push(outcome) };
  const log = { debug: () => undefined, warn: () => undefined, error: () => undefined };
  const filter = new FaultFilter(responder as unknown as Responder, {} as ReturnTickets, log as unknown as Logger, () => null);
  const context = { requestId: 'test', path: '/login', url: '/login' };
  const request = { method: 'GET', path: '/login', context, accepts: () => 'html' };
  filter.answer(new HttpException('', status), request as unknown as ContextualRequest, {} as Response);
  expect(outcomes).toMatchObject([{ content: { page: 'server_error', server_error: { code } } }]);
});
