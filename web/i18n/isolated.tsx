/**
 * A value inside `Trans`. Values are passed as elements and not in `values`, because `Trans` interpolates its text a second
 * time: so a client called `<policy>` or `{{client}}` stays text. `bdi` isolates its writing direction.
 */
export function Isolated({ text }: { text: string }) {
  return <bdi>{text}</bdi>;
}
