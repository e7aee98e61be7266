// How the process of the tunnel is told of the sites. Pure.

/** The variable that names them. */
export const SITES = 'TUNNEL_SITES';

/** `site-1=https://127.0.0.1:20001,…`. */
export function sitesText(sites: readonly { readonly name: string; readonly url: string }[]): string {
  return sites.map(({ name, url }) => `${name}=${url}`).join(',');
}

export function sitesIn(text: string): ReadonlyMap<string, string> {
  const pairs = text.split(',').flatMap((one): [string, string][] => {
    const at = one.indexOf('=');
    return at < 1 ? [] : [[one.slice(0, at), one.slice(at + 1)]];
  });
  return new Map(pairs);
}
