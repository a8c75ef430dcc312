import { FakeUserSource } from '../../../src/sources/fake-user-source.js';
import { MARIA, sourceContract } from './contract.js';

sourceContract('fake', async () => {
  const source = new FakeUserSource('staff');
  const person = (subject: string, username: string, email: string) => ({
    ...{ subject, username, email, displayName: MARIA.displayName, emailVerified: false, isActive: true, attributes: {} },
    password: MARIA.password,
  });
  source.people = [
    person('1', 'maria', 'maria@example.com'),
    person('2', 'double1', 'double@example.com'),
    person('3', 'double2', 'double@example.com'),
  ];
  return { source, stop: async () => void (source.isDown = true), close: () => source.close() };
});
