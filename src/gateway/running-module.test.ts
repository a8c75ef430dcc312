import { Global, Injectable, Module, type DynamicModule, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { describe, expect, it } from '@jest/globals';
import { RunningModule } from './running-module.js';

const QUIET_OPTIONS = { logger: false, abortOnError: false } as const;

@Injectable()
class Counter {
  count = 0;
}

@Injectable()
class HiddenService {}

@Module({ providers: [Counter, HiddenService], exports: [Counter] })
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
    const firstApplication = await NestFactory.createApplicationContext(NamedModule, QUIET_OPTIONS);
    const imports = [RunningModule.share(CounterModule, firstApplication), RunningModule.share(NamedModule, firstApplication)];
    const secondApplication = await NestFactory.createApplicationContext(SecondModule.create(imports, [Reader]), QUIET_OPTIONS);
    expect(secondApplication.get(Reader).counter).toBe(firstApplication.get(Counter));
    expect(secondApplication.get('counter')).toBe(firstApplication.get(Counter));
    await Promise.all([firstApplication.close(), secondApplication.close()]);
  });

  it('shares nothing that the module does not export', async () => {
    const firstApplication = await NestFactory.createApplicationContext(CounterModule, QUIET_OPTIONS);
    const secondApplication = await NestFactory.createApplicationContext(
      SecondModule.create([RunningModule.share(CounterModule, firstApplication)], []),
      QUIET_OPTIONS,
    );
    expect(() => secondApplication.get(HiddenService)).toThrow();
    await Promise.all([firstApplication.close(), secondApplication.close()]);
  });

  it('is shared as a global module only if it is global', () => {
    const application = { get: () => undefined as never };
    expect(RunningModule.share(NamedModule, application).global).toBe(true);
    expect(RunningModule.share(CounterModule, application).global).toBe(false);
  });
});
