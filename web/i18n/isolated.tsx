/**
 * A value whose writing direction may differ from that of the page. Values of a `MarkedPhrase` are such elements and not variables, because
 * it looks for elements after variables are filled in: the name of a client, such as `<policy>` or `{{client}}`, must stay text.
 */
export function Isolated({ text }: { text: string }) {
  return <bdi>{text}</bdi>;
}
