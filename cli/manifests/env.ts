// Environment variables as people write them on a command line: KEY=value, or KEY- to take one away. Pure.

export interface EnvEdit {
  readonly name: string;
  /** Null takes it away. */
  readonly value: string | null;
}

/** As Kubernetes has them: https://kubernetes.io/docs/reference/kubernetes-api (EnvVar, name). */
const NAME = /^[-._a-zA-Z][-._a-zA-Z0-9]*$/;

/** Null for what is none. A value may be empty, and may have any character. */
export function envEditFrom(text: string): EnvEdit | null {
  const equals = text.indexOf('=');
  if (equals < 0) {
    const name = text.slice(0, -1);
    return text.endsWith('-') && NAME.test(name) ? { name, value: null } : null;
  }
  const name = text.slice(0, equals);
  return NAME.test(name) ? { name, value: text.slice(equals + 1) } : null;
}

interface Variable {
  readonly name: string;
  readonly value?: string;
}

/** What is there keeps its place; of two edits of one name the last one counts. */
export function withEdits(env: readonly Variable[], edits: readonly EnvEdit[]): Variable[] {
  const last = new Map(edits.map((edit) => [edit.name, edit.value]));
  const names = new Set(env.map(({ name }) => name));
  const kept = env.flatMap((one): Variable[] => {
    const value = last.get(one.name);
    if (value === undefined) return [one];
    return value === null ? [] : [{ name: one.name, value }];
  });
  const added = [...last].flatMap(([name, value]) =>
    value === null || names.has(name) ? [] : [{ name, value }],
  );
  return [...kept, ...added];
}
