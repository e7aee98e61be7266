// How the fields of an object and their types are written down.

/** Text; a whole number; true or false; text or a whole number; anything; or what is made of them. */
export type Shape =
  | 'text'
  | 'whole'
  | 'truth'
  | 'either'
  | 'any'
  | { readonly fields: Readonly<Record<string, Shape>> }
  | { readonly list: Shape }
  | { readonly map: Shape };

export const texts = { list: 'text' } as const;

/** Fields of one type, by their names. */
export function all<S extends Shape>(shape: S, names: string): Readonly<Record<string, S>> {
  return Object.fromEntries(names.split(' ').map((name) => [name, shape]));
}
