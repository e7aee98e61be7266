// What a person may ask of a Capp's workflow, as it comes from outside.

export interface Wish {
  /** A site; absent or null for the best other one. */
  readonly to?: string | null;
  /** Who asks, and why: kept in the record. */
  readonly by?: string;
  readonly why?: string;
}

/** A wish that has been read. */
export interface ReadWish {
  readonly to: string | null;
  readonly by: string;
  readonly why: string;
}

const SITE = /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/;
/** Characters kept of who and why. */
const LONGEST = 256;

/** Throws an Error that names the field and what it should be. */
export function readWish(wish: unknown): ReadWish {
  const { to, by, why }: { to?: unknown; by?: unknown; why?: unknown } = wish ?? {};
  if (to !== undefined && to !== null && to !== '' && !(typeof to === 'string' && SITE.test(to)))
    throw new Error('"to" must be the name of a site, such as {"to":"site-2"}, or be left out');
  return { to: typeof to === 'string' && to !== '' ? to : null, by: text(by, 'somebody'), why: text(why, '') };
}

function text(value: unknown, otherwise: string): string {
  return typeof value === 'string' && value !== '' ? value.slice(0, LONGEST) : otherwise;
}
