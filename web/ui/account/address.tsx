import { Fragment } from 'react';

/** An e-mail address; one that is too long for the line breaks before its domain. */
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
