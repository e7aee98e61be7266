// Builds the query of a request; what is undefined or empty is left out.

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export function withQuery(path: string, query: Query): string {
  const said = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  if (said.length === 0) return path;
  return `${path}?${new URLSearchParams(said.map(([name, value]): [string, string] => [name, String(value)])).toString()}`;
}
