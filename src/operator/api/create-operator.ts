/** Creates the operator API beside a gateway. It does not listen yet: `start-foyer.ts` listens at `config.operator`. */
import type { Server } from 'node:http';
import type { DynamicModule, INestApplication, INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Config } from '../../config/config.js';
import { ListenerAdapter } from '../../gateway/http/listener.adapter.js';
import type { ConsoleFiles } from '../console/console-files.js';
import { MountOperator } from './mount-operator.js';
import { OperatorModule } from './operator.module.js';

export interface OperatorParts {
  /** The running gateway, whose services the operator API uses. */
  gateway: Pick<INestApplicationContext, 'get'>;
  /** The gateway's global module with its configuration, log and clock. */
  foundation: DynamicModule;
  config: Pick<Config, 'http' | 'operator' | 'console'>;
  /** The browser application of the console; null if the console is off, and in tests of the API. */
  consoleFiles: ConsoleFiles | null;
}

/** @throws ConfigError without a token */
export async function createOperator(parts: OperatorParts): Promise<INestApplication<Server>> {
  const { gateway, foundation, config, consoleFiles } = parts;
  const app = await NestFactory.create<INestApplication<Server>>(
    OperatorModule.forGateway(gateway, foundation, config.console !== undefined),
    new ListenerAdapter(config.http, config.operator.tls),
    { bodyParser: false, logger: false, abortOnError: false },
  );
  app.get(MountOperator).mount(app, consoleFiles);
  await app.init();
  return app;
}
