/**
 * Default names of passkeys, by the AAGUID of the authenticator (WebAuthn, section 6.5). Vendors publish their AAGUIDs, and the FIDO
 * Metadata Service lists the AAGUIDs of security keys. Without attestation, anybody can claim an AAGUID, so the name proves nothing.
 */
const AAGUIDS: Readonly<Record<string, readonly string[]>> = {
  'Google Password Manager': ['ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4'],
  'iCloud Keychain': ['fbfc3007-154e-4ecc-8c0b-6e020557d7bd', 'dd4ec289-e01d-41c9-bb89-70fa845d4bf2'],
  'Windows Hello': [
    '08987058-cadc-4b81-b6e1-30de50dcbe96',
    '9ddd1817-af5a-4672-a2b9-3e3dd95000a9',
    '6028b017-b1d4-4c02-b4b3-afcdafc96bb2',
  ],
  'Microsoft Password Manager': ['d3452668-01fd-4c12-926c-83a4203853aa'],
  'Samsung Pass': ['53414d53-554e-4700-0000-000000000000'],
  Chrome: ['adce0002-35bc-c60a-648b-0b25f1f05503'],
  Chromium: ['b5397666-4885-aa6b-cebf-e52262a439a2'],
  'Microsoft Edge': ['771b48fd-d3d4-4f74-9232-fc157ab0507a'],
  '1Password': ['bada5566-a7aa-401f-bd96-45619a55120d'],
  Bitwarden: ['d548826e-79b4-db40-a3d8-11116f7e8349'],
  Dashlane: ['531126d6-e717-415c-9320-3d9aa6981239'],
  Enpass: ['f3809540-7f14-49c1-a8b3-8f813b225541'],
  'Kaspersky Password Manager': ['a10c6dd9-465e-4226-8198-c7c44b91c555'],
  KeePassDX: ['eaecdef2-1c31-5634-8639-f1cbd9c00a08'],
  KeePassXC: ['fdb141b2-5d84-443e-8a35-4698c205a502'],
  Keeper: ['0ea242b4-43c4-4a1b-8b17-dd6d0b6baec6'],
  LastPass: ['b78a0a55-6ef8-d246-a042-ba0f6d55050c'],
  NordPass: ['b84e4048-15dc-4dd0-8640-f4f60813c8af'],
  'Norton Password Manager': ['fa37f553-f9b6-4adb-ac53-8bbb57ebdf0d'],
  'Proton Pass': ['50726f74-6f6e-5061-7373-50726f746f6e'],
  'Zoho Vault': ['b35a26b2-8f6e-4697-ab1d-d44db4da28c6'],
  YubiKey: [
    '19083c3d-8383-4b18-bc03-8f1c9ab2fd1b',
    '1ac71f64-468d-4fe0-bef1-0e5f2f551f18',
    '20ac7a17-c814-4833-93fe-539f0d5e3389',
    '24673149-6c86-42e7-98d9-433fb5b73296',
    '2fc0579f-8113-47ea-b116-bb5a8db9202a',
    '3124e301-f14e-4e38-876d-fbeeb090e7bf',
    '34744913-4f57-4e6e-a527-e9ec3c4b94e6',
    '34f5766d-1536-4a24-9033-0e294e510fb0',
    '3a662962-c6d4-4023-bebb-98ae92e78e20',
    '3aa78eb1-ddd8-46a8-a821-8f8ec57a7bd5',
    '3b24bf49-1d45-4484-a917-13175df0867b',
    '4599062e-6926-4fe7-9566-9e8fb1aedaa0',
    '4fc84f16-2545-4e53-b8fc-7bf4d7282a10',
    '57f7de54-c807-4eab-b1c6-1c9be7984e92',
    '58276709-bb4b-4bb3-baf1-60eea99282a7',
    '5b0e46ba-db02-44ac-b979-ca9b84f5e335',
    '62e54e98-c209-4df3-b692-de71bb6a8528',
    '662ef48a-95e2-4aaa-a6c1-5b9c40375824',
    '6ab56fad-881f-4a43-acb2-0be065924522',
    '6ec5cff2-a0f9-4169-945b-f33b563f7b99',
    '73bb0cd4-e502-49b8-9c6f-b59445bf720b',
    '7409272d-1ff9-4e10-9fc9-ac0019c124fd',
    '79f3c8ba-9e35-484b-8f47-53a5a0f5c630',
    '7b96457d-e3cd-432b-9ceb-c9fdd7ef7432',
    '7d1351a6-e097-4852-b8bf-c9ac5c9ce4a3',
    '83c47309-aabb-4108-8470-8be838b573cb',
    '85203421-48f9-4355-9bc8-8a53846e5083',
    '8c39ee86-7f9a-4a95-9ba3-f6b097e5c2ee',
    '905b4cb4-ed6f-4da9-92fc-45e0d4e9b5c7',
    '90636e1f-ef82-43bf-bdcf-5255f139d12f',
    '97e6a830-c952-4740-95fc-7c78dc97ce47',
    '9e66c661-e428-452a-a8fb-51f7ed088acf',
    '9eb7eabc-9db5-49a1-b6c3-555a802093f4',
    'a02167b9-ae71-4ac7-9a07-06432ebb6f1c',
    'a25342c0-3cdc-4414-8e46-f4807fca511c',
    'ad08c78a-4e41-49b9-86a2-ac15b06899e2',
    'b2c1a50b-dad8-4dc7-ba4d-0ce9597904bc',
    'b90e7dc1-316e-4fee-a25a-56a666a670fe',
    'c1f9a0bc-1dd2-404a-b27f-8e29047a43fd',
    'c5ef55ff-ad9a-4b9f-b580-adebafe026d0',
    'cb69481e-8ff7-4039-93ec-0a2729a154a8',
    'ce6bf97f-9f69-4ba7-9032-97adc6ca5cf1',
    'd2fbd093-ee62-488d-9dad-1e36389f8826',
    'd7781e5d-e353-46aa-afe2-3ca49f13332a',
    'd8522d9f-575b-4866-88a9-ba99fa02f35b',
    'dd86a2da-86a0-4cbe-b462-4bd31f57bc6f',
    'ee882879-721c-4913-9775-3dfcce97072a',
    'fa2b99dc-9e39-4257-8f92-4a30d23c4118',
    'fcc0118f-cd45-435b-8da1-9782b2da0715',
    'ff4dac45-ede8-4ec2-aced-cf66103f4335',
  ],
  'Security Key by Yubico': [
    '0bb43545-fd2c-4185-87dd-feb0b2916ace',
    '149a2021-8ef6-4133-96b8-81f8d5b7f1f5',
    '2772ce93-eb4b-4090-8b73-330f48477d73',
    '47ab2fb4-66ac-4184-9ae1-86be814012d5',
    '6d44ba9b-f6ec-2e49-b930-0c8fe920cb73',
    '72c6b72d-8512-4c66-8359-9d3d10d9222f',
    '760eda36-00aa-4d29-855b-4012a182cdeb',
    '9ff4cc65-6154-4fff-ba09-9e2af7882ad2',
    'a4e9fc6d-4cbe-4758-b8ba-37598bb5bbaa',
    'b7d3f68e-88a6-471e-9ecf-2df26d041ede',
    'b92c3f9a-c014-4056-887f-140a2501163b',
    'e77e3c64-05e3-428b-8824-0cbeb04b829d',
    'ed042a3a-4b22-4455-bb69-a267b652ae7e',
    'f8a011f3-8c0a-4d15-8006-17111f9edc7d',
  ],
  Feitian: [
    '12755c32-8ad1-46eb-881c-e0b38d848b09',
    '12ded745-4bed-47d4-abaa-e713f51d6393',
    '234cd403-35a2-4cc2-8015-77ea280c77f5',
    '260e3021-482d-442d-838c-7edfbe153b7e',
    '2bff89f2-323a-48fc-b7c8-9ff7fe87c07e',
    '2c0df832-92de-4be1-8412-88a8f074df4a',
    '39589099-9a75-49fc-afaa-801ca211c62a',
    '3e22415d-7fdf-4ea4-8a0c-dd60c4249b9d',
    '42df17de-06ba-4177-a2bb-6701be1380d6',
    '4c0cf95d-2f40-43b5-ba42-4c83a11c04ba',
    '77010bd7-212a-4fc9-b236-d2ca5e9d4084',
    '78ba3993-d784-4f44-8d6e-cc0a8ad5230e',
    '833b721a-ff5f-4d00-bb2e-bdda3ec01e29',
    'a02140b7-0cbd-42e1-a9b5-a39da2545114',
    'b6ede29c-3772-412c-8a78-539c1f4c62d2',
    'ee041bce-25e5-4cdb-8f86-897fd6418464',
  ],
  'Google Titan': ['42b4fb4a-2866-43b2-9bf7-6c6669c2e5d3'],
  Nitrokey: ['2cd2f727-f6ca-44da-8f48-5c2e5da000a2'],
  'Swissbit iShield': [
    '5d629218-d3a5-11ed-afa1-0242ac120002',
    '5eaff75a-dd43-451f-af9f-87c9eeae293e',
    '7787a482-13e8-4784-8a06-c7ed49a7aaf4',
    '817cdab8-0d51-4de1-a821-e25b88519cf3',
    '931327dd-c89b-406c-a81e-ed7058ef36c6',
    'e400ef8c-711d-4692-af46-7f2cf7da23ad',
  ],
  Token2: ['ab32f0c6-2239-afbb-c470-d2ef4e254db7', 'eabb46cc-e241-80bf-ae9e-96fa6d2975cf'],
};

const NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries(AAGUIDS).flatMap(([name, aaguids]) => aaguids.map((aaguid) => [aaguid, name] as const)),
);

/** The name for an authenticator that is not listed or that sends zeros. It is stored, so it is not translated. */
const UNKNOWN_NAME = 'Passkey';

/**
 * @param aaguid in the form of a UUID, in lower case
 * @param otherNames the names of the account's other passkeys
 * @returns the name of the product, or `Passkey` if the product is unknown; with a number if the name is taken
 */
export function findDefaultName(aaguid: string, otherNames: readonly string[]): string {
  const name = NAMES.get(aaguid) ?? UNKNOWN_NAME;
  if (!otherNames.includes(name)) return name;
  let number = 2;
  while (otherNames.includes(`${name} ${number}`)) number += 1;
  return `${name} ${number}`;
}
