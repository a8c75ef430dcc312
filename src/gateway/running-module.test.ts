import { Global, Injectable, Module, type DynamicModule, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { describe, expect, it } from '@jest/globals';
import { RunningModule } from './running-module.js';

const QUIET = { logger: false, abortOnError: false } as const;

@Injectable()
class Counter {
  count = 0;
}

@Injectable()
class Hidden {}

@Module({ providers: [Counter, Hidden], exports: [Counter] })
class CounterModule {}

@Global()
@Module({ imports: [CounterModule], providers: [{ provide: 'counter', useExisting: Counter }], exports: ['counter'] })
class NamedModule {}

@Injectable()
class Reader {
  constructor(readonly counter: Counter) {}
}

@Module({})
class SecondModule {
  static create(imports: DynamicModule[], providers: Type[]): DynamicModule {
    return { module: SecondModule, imports, providers };
  }
}

describe('a module of a running application', () => {
  it('shares its instances with a second application', async () => {
    const first = await NestFactory.createApplicationContext(NamedModule, QUIET);
    const imports = [RunningModule.share(CounterModule, first), RunningModule.share(NamedModule, first)];
    const second = await NestFactory.createApplicationContext(SecondModule.create(imports, [Reader]), QUIET);
    expect(second.get(Reader).counter).toBe(first.get(Counter));
    expect(second.get('counter')).toBe(first.get(Counter));
    await Promise.all([first.close(), second.close()]);
  });

  it('shares nothing that the module does not export', async () => {
    const first = await NestFactory.createApplicationContext(CounterModule, QUIET);
    const second = await NestFactory.createApplicationContext(
      SecondModule.create([RunningModule.share(CounterModule, first)], []),
      QUIET,
    );
    expect(() => second.get(Hidden)).toThrow();
    await Promise.all([first.close(), second.close()]);
  });

  it('is global if the module is', () => {
    const application = { get: () => undefined as never };
    expect(RunningModule.share(NamedModule, application).global).toBe(true);
    expect(RunningModule.share(CounterModule, application).global).toBe(false);
  });
});
