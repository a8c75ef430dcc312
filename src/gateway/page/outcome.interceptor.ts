/** Sends the outcome that a controller returned. Other values are left to Nest, which sends JSON. */
import { Injectable } from '@nestjs/common';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { Response } from 'express';
import { map } from 'rxjs';
import type { Observable } from 'rxjs';
import { isOutcome } from './outcome.js';
import { Responder } from './responder.js';
import type { ContextualRequest } from '../http/request-context.js';

@Injectable()
export class OutcomeInterceptor implements NestInterceptor {
  readonly #responder: Responder;

  constructor(responder: Responder) {
    this.#responder = responder;
  }

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    return next.handle().pipe(
      map((value: unknown) => {
        if (!isOutcome(value)) return value;
        this.#responder.send(http.getResponse<Response>(), http.getRequest<ContextualRequest>().context, value);
        return undefined;
      }),
    );
  }
}
