import { Fragment } from 'react';

/** An e-mail address. If it is too long for the line, it breaks before the domain. */
export function Address({ address }: { address: string }) {
  const [mailbox, ...domain] = address.split('@');
  return (
    <bdi>
      {mailbox}
      {domain.map((part) => (
        <Fragment key={`@${part}`}>
          <wbr />@{part}
        </Fragment>
      ))}
    </bdi>
  );
}
