/**
 * The demo people, the same at every provider and after every restart, so that connected accounts stay connected.
 * Each provider has its own subject for a person.
 */
export interface Person {
  key: string;
  givenName: string;
  familyName: string;
  email: string;
  google: { sub: string; /** Domain of the company, if the person has an address there. */ hd?: string };
  microsoft: { oid: string; tid: string };
  apple: { sub: string };
  company: { sub: string; groups: readonly string[] };
}

/** Microsoft's tenants; as in reality, the last one contains all personal accounts. */
export const TENANTS = {
  musterwerk: '3f1c8a52-6a0e-4d0b-9a53-0c6b1d2e7f41',
  beispielhaus: '8d7e2b90-15c4-4f6a-b1de-93a4c5f60718',
  personal: '9188040d-6c67-4c5b-b112-36a304b66dad',
} as const;

export const PEOPLE: readonly Person[] = [
  {
    key: 'maria',
    givenName: 'Maria',
    familyName: 'Musterfrau',
    email: 'maria@musterwerk.example',
    google: { sub: '108204268033311374519', hd: 'musterwerk.example' },
    microsoft: { oid: '5b0c1f5e-83c7-4a35-8f0b-6a1f7a2b9c01', tid: TENANTS.musterwerk },
    apple: { sub: '001734.6f1d0c2b9a8e4f5d8b7c6a5e4d3c2b1a.0815' },
    company: { sub: 'emp-1001', groups: ['staff', 'accounting'] },
  },
  {
    key: 'jonas',
    givenName: 'Jonas',
    familyName: 'Beispiel',
    email: 'jonas@mail.example',
    google: { sub: '113760842175592086134' },
    microsoft: { oid: '00000000-0000-0000-a7c3-5e19d04b82f6', tid: TENANTS.personal },
    apple: { sub: '000482.0a9b8c7d6e5f4a3b2c1d0e9f8a7b6c5d.1327' },
    company: { sub: 'emp-1002', groups: ['suppliers'] },
  },
  {
    key: 'nora',
    givenName: 'Nora',
    familyName: 'Neumann',
    email: 'nora@beispielhaus.example',
    google: { sub: '100917253648501927365', hd: 'beispielhaus.example' },
    microsoft: { oid: 'c2d94e77-1f3a-4b58-9e60-7d8f0a1b2c3d', tid: TENANTS.beispielhaus },
    apple: { sub: '001999.b1a2c3d4e5f60718293a4b5c6d7e8f90.2046' },
    company: { sub: 'emp-1003', groups: ['staff'] },
  },
];

export function toName({ givenName, familyName }: Person): string {
  return `${givenName} ${familyName}`;
}

export function findPerson(key: string | null): Person | undefined {
  return PEOPLE.find((person) => person.key === key);
}
