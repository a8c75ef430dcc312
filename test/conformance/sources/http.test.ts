import { pino } from 'pino';
import { hashPassword, type ServicePerson } from '../../../embedded/people/people-service.js';
import { HttpSource } from '../../../src/sources/http/http-source.js';
import { TestPeopleService, sourceParts } from '../../support/people-service.js';
import { MARIA, sourceContract } from './contract.js';

sourceContract('HTTP, the example service', async () => {
  const hash = hashPassword(MARIA.password);
  const person = (sub: string, username: string, email: string): ServicePerson => ({
    ...{ sub, username, email, hash, display_name: MARIA.displayName },
  });
  const service = await TestPeopleService.start([
    person('1', 'maria', MARIA.mail),
    person('2', 'double1', 'double@example.com'),
    person('3', 'double2', 'double@example.com'),
  ]);
  const source = new HttpSource(service.settings(), sourceParts(pino({ level: 'silent' })));
  const close = async (): Promise<void> => {
    await source.close();
    await service.close();
  };
  return { source, canListPeople: false, stop: () => service.close(), close };
});
