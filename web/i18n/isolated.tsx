/**
 * A value inside `MarkedPhrase`. Values are passed as elements and not as variables, because `MarkedPhrase` looks for elements after
 * variables are filled in: the name of a client, such as `<policy>` or `{{client}}`, must stay text. `bdi` isolates the writing direction.
 */
export function Isolated({ text }: { text: string }) {
  return <bdi>{text}</bdi>;
}
