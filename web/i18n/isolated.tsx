/**
 * A value inside `Trans`. It comes as an element and not through `values`, because `Trans` parses what it interpolates:
 * a client called `<policy>` or `{{client}}` stays text. The writing direction of the value ends with it.
 */
export function Isolated({ text }: { text: string }) {
  return <bdi>{text}</bdi>;
}
