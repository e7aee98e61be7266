// The calls of a replayed workflow, one per line. Of a state, a line has only the changes since the last
// line.

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
type Fields = Readonly<Record<string, Json>>;

/** Notes down what one run says. */
export class Transcript {
  readonly lines: string[] = [];
  #state: Fields = {};

  /** `what` is the JSON of the arguments. */
  note(kind: string, what: string): void {
    const args = (JSON.parse(what) as Json[]).map((arg) => this.#told(arg));
    this.lines.push([kind, ...args].join(' '));
  }

  #told(arg: Json): string {
    if (!isState(arg)) return JSON.stringify(arg);
    const change = changed(this.#state, arg);
    this.#state = arg;
    return `state ${JSON.stringify(change)}`;
  }
}

/** A Capp's or a drain's. */
function isState(value: Json): value is Fields {
  return isFields(value) && value['version'] === 1 && ('copies' in value || 'lanes' in value);
}

/** What of `after` differs from `before`; what has gone is null with a minus before its name. */
function changed(before: Fields, after: Fields): Fields {
  const gone = Object.keys(before).filter((name) => !(name in after));
  const other = Object.entries(after).filter(
    ([name, value]) => JSON.stringify(before[name]) !== JSON.stringify(value),
  );
  const told = other.map(([name, value]) => {
    const was = before[name];
    return [
      name,
      was !== undefined && isFields(was) && isFields(value) ? changed(was, value) : value,
    ] as const;
  });
  return { ...Object.fromEntries(told), ...Object.fromEntries(gone.map((name) => [`-${name}`, null])) };
}

function isFields(value: Json): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
