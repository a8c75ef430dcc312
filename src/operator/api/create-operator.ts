/** Creates the operator API beside a gateway. It does not listen yet: `start-foyer.ts` listens at `config.operator`. */
import type { Server } from 'node:http';
import type { DynamicModule, INestApplication, INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Config } from '../../config/config.js';
import { ListenerAdapter } from '../../gateway/http/listener.adapter.js';
import { MountOperator } from './mount-operator.js';
import { OperatorModule } from './operator.module.js';

export interface OperatorParts {
  /** The running gateway, whose services the operator API uses. */
  gateway: Pick<INestApplicationContext, 'get'>;
  /** The gateway's global module with its configuration, log and clock. */
  foundation: DynamicModule;
  config: Pick<Config, 'http' | 'operator'>;
}

/** @throws ConfigError without a token */
export async function createOperator({ gateway, foundation, config }: OperatorParts): Promise<INestApplication<Server>> {
  const app = await NestFactory.create<INestApplication<Server>>(
    OperatorModule.forGateway(gateway, foundation),
    new ListenerAdapter(config.http, config.operator.tls),
    { bodyParser: false, logger: false, abortOnError: false },
  );
  app.get(MountOperator).mount(app);
  await app.init();
  return app;
}
