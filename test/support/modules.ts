/** Modules of the server without a gateway, on a test database. */
import { Module, type DynamicModule, type INestApplicationContext, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { pino } from 'pino';
import { AccountsModule } from '../../src/accounts/accounts.module.js';
import { FoundationModule, QueuesModule, type Foundation } from '../../src/app.module.js';
import { Keys } from '../../src/config/keys.js';
import { Assets } from '../../src/gateway/page/assets.js';
import type { PageRenderer } from '../../src/gateway/page/page-renderer.js';
import { RunningModule } from '../../src/gateway/running-module.js';
import { FakeHydra } from '../../src/hydra/fake-hydra.js';
import { MailModule } from '../../src/mail/mail.module.js';
import { FakeIdentityProviders } from '../../src/providers/fake-identity-providers.js';
import { UserSources } from '../../src/sources/user-sources.js';
import type { TestGateway } from './gateway.js';
import { TestClock } from './test-clock.js';
import { testConfig } from './test-config.js';

export type GivenFoundation = Partial<Foundation> & Pick<Foundation, 'database'>;

const NO_PAGES: PageRenderer = {
  render: () => {
    throw new Error('There are no pages in this test.');
  },
  phrases: () => ({}),
};

/** Uses fakes, or objects that do nothing, for values that are not given. */
export function testFoundation(given: GivenFoundation): Foundation {
  const config = given.config ?? testConfig();
  return {
    config,
    keys: new Keys(config.secrets),
    clock: new TestClock(),
    hydra: new FakeHydra(config.hydra.publicUrl),
    identityProviders: new FakeIdentityProviders(),
    sources: new UserSources([], pino({ level: 'silent' })),
    renderer: NO_PAGES,
    assets: Assets.createEmpty(),
    log: pino({ level: 'silent' }),
    ...given,
  };
}

@Module({})
class ModulesUnderTest {}

/** @param modules by default only the accounts module */
export function openModules(
  given: GivenFoundation,
  modules: readonly (Type | DynamicModule)[] = [AccountsModule],
): Promise<INestApplicationContext> {
  const imports = [FoundationModule.register(testFoundation(given)), ...modules];
  return NestFactory.createApplicationContext({ module: ModulesUnderTest, imports }, { logger: false, abortOnError: false });
}

/** Sends the mails of a gateway under test until it is closed. */
export function openMailModule(gateway: TestGateway, config = gateway.config): Promise<INestApplicationContext> {
  const { database, clock } = gateway;
  return openModules({ config, database, clock }, [RunningModule.share(QueuesModule, gateway), MailModule.register(config)]);
}
