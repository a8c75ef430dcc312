/**
 * A value inside `MarkedPhrase`. Values are elements, because its text is read for elements after its variables are filled in: so
 * a client called `<policy>` or `{{client}}` stays text. `bdi` isolates its writing direction.
 */
export function Isolated({ text }: { text: string }) {
  return <bdi>{text}</bdi>;
}
